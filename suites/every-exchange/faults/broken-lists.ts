import {
  type Answer,
  answersChanged,
  bodyText,
  type Fault,
  type Operation,
  type Override,
  withBody,
  withHeader,
  withStatus,
} from '../../../support/reference/index.ts'

interface Broken {
  readonly id: string
  readonly title: string
  /** What of the list is wrong: the end of the rule's id. */
  readonly what: '200' | 'content-type' | 'json' | 'array' | 'objects'
  readonly change: (answer: Answer) => Answer
}

const rewritten = (change: (json: string) => string | Uint8Array) => (answer: Answer) =>
  withBody(answer, change(bodyText(answer)))

const typed = (type: string | undefined) => (answer: Answer) => withHeader(answer, 'Content-Type', type)

/** How a list can be broken from end to end. */
const broken: readonly Broken[] = [
  { id: '202', title: 'is answered 202', what: '200', change: answer => withStatus(answer, 202) },
  { id: 'no-type', title: 'has no Content-Type', what: 'content-type', change: typed(undefined) },
  { id: 'text-html', title: 'is called text/html', what: 'content-type', change: typed('text/html') },
  { id: 'text-json', title: 'is called text/json', what: 'content-type', change: typed('text/json') },
  {
    id: 'hal-json',
    title: 'is called application/hal+json',
    what: 'content-type',
    change: typed('application/hal+json'),
  },
  {
    id: 'trailing-comma',
    title: 'ends in a comma',
    what: 'json',
    change: rewritten(json => json.replace(/\]$/, ',]')),
  },
  {
    id: 'single-quotes',
    title: 'has single quotes',
    what: 'json',
    change: rewritten(json => json.replaceAll('"', "'")),
  },
  {
    id: 'nan',
    title: 'has NaN in it',
    what: 'json',
    change: rewritten(json => json.replace(/"quantity":\d+/, '"quantity":NaN')),
  },
  { id: 'cut', title: 'is cut before its end', what: 'json', change: rewritten(json => json.slice(0, -1)) },
  { id: 'twice', title: 'is sent twice over', what: 'json', change: rewritten(json => json + json) },
  {
    id: 'leading-zero',
    title: 'has a number with a zero in front',
    what: 'json',
    change: rewritten(json => json.replace('"quantity":', '"quantity":0')),
  },
  {
    id: 'comment',
    title: 'has a comment in it',
    what: 'json',
    change: rewritten(json => `/* made by hand */${json}`),
  },
  {
    id: 'xssi-prefix',
    title: 'has a guard in front',
    what: 'json',
    change: rewritten(json => `)]}',\n${json}`),
  },
  {
    id: 'latin-1',
    title: 'is not in UTF-8',
    what: 'json',
    change: rewritten(json => Buffer.from(json.replace('{', '{"note":"caf\u00e9",'), 'latin1')),
  },
  {
    id: 'utf-16',
    title: 'is in UTF-16',
    what: 'json',
    change: rewritten(json => Buffer.from(`\ufeff${json}`, 'utf16le')),
  },
  { id: 'blank', title: 'is empty', what: 'json', change: rewritten(() => '') },
  {
    id: 'wrapped',
    title: 'is wrapped in an object',
    what: 'array',
    change: rewritten(json => `{"items":${json}}`),
  },
  { id: 'null', title: 'is null', what: 'array', change: rewritten(() => 'null') },
  {
    id: 'as-string',
    title: 'is encoded twice, as a string',
    what: 'array',
    change: rewritten(json => JSON.stringify(json)),
  },
  {
    id: 'by-id',
    title: 'is an object by id',
    what: 'array',
    change: rewritten(
      json => `{${json.slice(1, -1).replace(/\{"(?:id|petId)":(-?[^,]+),/g, '"$1":{"same":$1,')}}`,
    ),
  },
  {
    id: 'with-null',
    title: 'has null among its entries',
    what: 'objects',
    change: rewritten(json => json.replace(/^\[/, '[null,')),
  },
  {
    id: 'with-id',
    title: 'has a bare id among its entries',
    what: 'objects',
    change: rewritten(json => json.replace(/\]$/, ',7]')),
  },
  { id: 'nested', title: 'is an array of arrays', what: 'objects', change: rewritten(json => `[${json}]`) },
]

export const brokenLists = (
  operation: Operation,
  prefix: 'list-orders' | 'list-inventory',
): readonly Fault[] =>
  broken.map(({ id, title, what, change }) => ({
    id: `${prefix}-${id}`,
    title: `The answer of ${operation} ${title}`,
    breaks: [`${prefix}-${what}`],
    override: answersChanged({ operation, status: 200 }, change) satisfies Override,
  }))
