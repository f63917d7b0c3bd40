import {
  answered,
  CantTell,
  expectArray,
  expectJsonType,
  expectListed,
  expectNoRepeatedNames,
  expectObjects,
  expectStatus,
  expectValidJson,
  lastOf,
  NotApplicable,
  noKey,
  rule,
  type StoreActs,
  scenario,
  sendUntilComplete,
} from '../support/authoring/index.ts'
import { operations } from '../support/interface/operations.ts'

type ListOperation = 'listOrders' | 'listInventory'

/** What the two lists have in common: their scenarios, and the rules about them as a whole. */
export function listing(operation: ListOperation) {
  const { slug, path, responses } = operations[operation]
  const [item, entryClause] =
    operation === 'listOrders' ? (['order', '2/order'] as const) : (['inventory entry', '2/entry'] as const)
  const request = `GET ${path}`
  const listed = scenario(`send ${request}`, {}, async ({ store, lists }) => {
    const answers = await sendUntilComplete(store, client => client[operation](), noKey)
    const isAccepted = lists(operation).some(({ response }) => response?.status === 200)
    return { list: lastOf(answers), isAccepted }
  })
  /** A wrong entry is found whenever and wherever it appears. */
  const everyList = scenario(
    `look at every response to ${request} of the run`,
    { turn: 'end' },
    async ({ store, lists }) => {
      await store[operation]({ step: 'at the end of the run' })
      const answers = lists(operation)
      return { answers, lists: answers.filter(({ response }) => response?.status === 200) }
    },
  )
  const required = {
    operation,
    level: 'required',
    clause: responses[200]?.clause ?? entryClause,
    given: listed,
  } as const
  const rules = [
    rule({
      ...required,
      id: `${slug}-200`,
      title: `${request} is answered 200`,
      expect({ list, isAccepted }) {
        const { status } = answered(list)
        // If it never is, auth-valid-key fails.
        if ((status === 401 || status === 403) && !isAccepted)
          throw new CantTell(`the key is rejected with ${status}`, list)
        expectStatus(list, 200)
      },
    }),
    rule({
      ...required,
      id: `${slug}-200-each-time`,
      title: `${request} is answered 200 each time`,
      given: everyList,
      after: [
        `auth-valid-key-${slug}`,
        `${slug}-200-after-anything`,
        `${slug}-200-beside-anything`,
        'unread-body-update-inventory',
      ],
      isSoundAlone: true,
      expect({ answers }) {
        for (const answer of answers) if (answer.response) expectStatus(answer, 200)
      },
      usually: 'The list fails after another request, beside others, or from time to time.',
    }),
    rule({
      ...required,
      id: `${slug}-content-type`,
      clause: '1/json',
      title: `The response of ${request} has Content-Type application/json`,
      after: `${slug}-200`,
      expect: ({ list }) => expectJsonType(list),
      usually: 'The framework was given a string and sends text/html. Give it the object, or set the type.',
    }),
    rule({
      ...required,
      id: `${slug}-json`,
      clause: '1/json',
      title: `The response of ${request} is valid JSON`,
      after: `${slug}-200`,
      expect: ({ list }) => void expectValidJson(list),
      usually:
        'The JSON is built from strings: a trailing comma, NaN, single quotes, or bytes that are not UTF-8.',
    }),
    rule({
      ...required,
      id: `${slug}-array`,
      title: `${request} returns an array`,
      after: `${slug}-json`,
      expect: ({ list }) => expectArray(list),
      usually:
        'A paging library wraps the array: {"data": [...]}. Or there is a member for each id: {"1": {...}}.',
    }),
    rule({
      ...required,
      id: `${slug}-array-each-time`,
      title: `${request} returns an array of objects each time`,
      given: everyList,
      after: [`${slug}-array`, `${slug}-objects`],
      isSoundAlone: true,
      expect(seen) {
        seen.lists.forEach(expectArray)
        expectObjects(seen.lists)
      },
      usually:
        'A long list is cut off, a separator is written for an entry that is left out, or null is in the place of a removed one.',
    }),
    rule({
      ...required,
      id: `${slug}-objects`,
      clause: entryClause,
      title: `Every element of the response of ${request} is an object`,
      after: `${slug}-array`,
      expect: ({ list }) => expectObjects(list),
    }),
    rule({
      ...required,
      id: `${slug}-no-repeated-names`,
      level: 'advisory',
      because:
        'The document is silent. RFC 8259 §4: names within an object should be unique, and readers differ in which one they use.',
      clause: entryClause,
      title: `No ${item} in the list repeats a member name`,
      after: `${slug}-array`,
      expect: ({ list }) => expectNoRepeatedNames(list),
    }),
  ]
  return { rules, listed, everyList }
}

interface LongList {
  /** More than the usual default page sizes: 10, 20, 25, 50, 100, for orders also 200. */
  readonly many: number
  /** With these, more than the usual limits: 200, 500 and 1,000 entries, 64 KiB. A provider state may arrange fewer at once. */
  readonly further: readonly number[]
  readonly arrangeFurther: (states: StoreActs['states']) => (count: number) => Promise<readonly string[]>
  /** Of the rule about `many` entries. */
  readonly facts: { readonly title: string; readonly after: string; readonly usually: string } & (
    | { readonly level: 'required'; readonly clause: '4.1/all' }
    | { readonly level: 'implied'; readonly because: string; readonly clause: '4.3/200' }
  )
}

/** The rules that a list is complete, also if it is long. */
export function unpagedRules(operation: ListOperation, { many, further, arrangeFurther, facts }: LongList) {
  const { slug, path, resource } = operations[operation]
  const [things, name] = resource === 'order' ? ['orders', 'id'] : ['pets', 'petId']
  const given = scenario(
    `list more than 1,000 ${things}`,
    { turn: 'long lists' },
    async ({ store, states }) => {
      const first = await states.many(resource, many)
      const all = [...first]
      for (const count of further) all.push(...(await arrangeFurther(states)(count)))
      const answers = await sendUntilComplete(store, client => client[operation](), noKey)
      return { first, all, list: lastOf(answers) }
    },
  )
  const here = { ...facts, operation, given } as const
  return [
    rule({
      ...here,
      id: `${slug}-unpaged`,
      expect({ first, list }) {
        expectStatus(list, 200)
        expectListed(list, name, first)
      },
    }),
    rule({
      ...here,
      id: `${slug}-unpaged-1000`,
      title: `GET ${path} returns every ${resource}, also if there are more than 1,000`,
      after: `${slug}-unpaged`,
      expect({ all, list }) {
        const needed = further.reduce((sum, count) => sum + count, many).toLocaleString('en')
        if (all.length < 1_000)
          throw new NotApplicable(
            `the provider states arranged ${all.length} ${things}, and ${needed} are needed`,
          )
        expectStatus(list, 200)
        expectListed(list, name, all)
      },
      usually: 'A limit on the rows of a query or on the size of a response.',
    }),
  ]
}
