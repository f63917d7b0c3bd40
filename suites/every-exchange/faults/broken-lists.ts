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
} from '../../../support/reference/authoring.ts'

interface Broken {
  readonly id: string
  readonly title: string
  /** The end of the id of the rule that it violates. */
  readonly what: '200' | 'content-type' | 'json' | 'array' | 'objects'
  readonly change: (answer: Answer) => Answer
}

const rewritten = (change: (json: string) => string | Uint8Array) => (answer: Answer) =>
  withBody(answer, change(bodyText(answer)))

const typed = (type: string | undefined) => (answer: Answer) => withHeader(answer, 'Content-Type', type)

/** Faults that both lists can have. */
const broken: readonly Broken[] = [
  { id: '202', title: 'is answered 202', what: '200', change: answer => withStatus(answer, 202) },
  { id: 'no-type', title: 'has no Content-Type', what: 'content-type', change: typed(undefined) },
  { id: 'text-html', title: 'has Content-Type text/html', what: 'content-type', change: typed('text/html') },
  { id: 'text-json', title: 'has Content-Type text/json', what: 'content-type', change: typed('text/json') },
  {
    id: 'hal-json',
    title: 'has Content-Type application/hal+json',
    what: 'content-type',
    change: typed('application/hal+json'),
  },
  {
    id: 'trailing-comma',
    title: 'has a trailing comma',
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
    title: 'contains NaN',
    what: 'json',
    change: rewritten(json => json.replace(/"quantity":\d+/, '"quantity":NaN')),
  },
  {
    id: 'cut',
    title: 'lacks its last character',
    what: 'json',
    change: rewritten(json => json.slice(0, -1)),
  },
  { id: 'twice', title: 'contains the list twice', what: 'json', change: rewritten(json => json + json) },
  {
    id: 'leading-zero',
    title: 'has a number with a leading zero',
    what: 'json',
    change: rewritten(json => json.replace('"quantity":', '"quantity":0')),
  },
  {
    id: 'comment',
    title: 'contains a comment',
    what: 'json',
    change: rewritten(json => `/* made by hand */${json}`),
  },
  {
    id: 'xssi-prefix',
    title: 'begins with an XSSI prefix',
    what: 'json',
    change: rewritten(json => `)]}',\n${json}`),
  },
  {
    id: 'latin-1',
    title: 'is encoded in Latin-1',
    what: 'json',
    change: rewritten(json => Buffer.from(json.replace('{', '{"note":"caf\u00e9",'), 'latin1')),
  },
  {
    id: 'utf-16',
    title: 'is encoded in UTF-16',
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
    title: 'is a JSON string that contains JSON',
    what: 'array',
    change: rewritten(json => JSON.stringify(json)),
  },
  {
    id: 'by-id',
    title: 'is an object with a member for each id',
    what: 'array',
    change: rewritten(
      json => `{${json.slice(1, -1).replace(/\{"(?:id|petId)":(-?[^,]+),/g, '"$1":{"same":$1,')}}`,
    ),
  },
  {
    id: 'with-null',
    title: 'has null as an element',
    what: 'objects',
    change: rewritten(json => json.replace(/^\[/, '[null,')),
  },
  {
    id: 'with-id',
    title: 'has a number as an element',
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
    title: `The response of ${operation} ${title}`,
    breaks: [`${prefix}-${what}`],
    override: answersChanged({ operation, status: 200 }, change) satisfies Override,
  }))
