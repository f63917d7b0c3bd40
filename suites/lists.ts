import {
  answered,
  CantTell,
  expectArray,
  expectComplete,
  expectJsonType,
  expectNoRepeatedNames,
  expectObjects,
  expectStatus,
  expectValidJson,
  lastOf,
  rule,
  scenario,
  sendUntilComplete,
} from '../support/authoring/index.ts'
import { operations } from '../support/interface/operations.ts'

/** What the two lists have in common: their scenarios, and the rules about them as a whole. */
export function listing(operation: 'listOrders' | 'listInventory') {
  const { slug, path, responses } = operations[operation]
  const [item, entryClause] =
    operation === 'listOrders' ? (['order', '2/order'] as const) : (['inventory entry', '2/entry'] as const)
  const request = `GET ${path}`
  const listed = scenario(`send ${request}`, {}, async ({ store, lists }) => {
    const answers = await sendUntilComplete(() => store[operation]())
    const isAccepted = lists(operation).some(({ response }) => response?.status === 200)
    return { answers, list: lastOf(answers), isAccepted }
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
      expect({ answers, list, isAccepted }) {
        expectComplete(answers, '200')
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
      after: [`${slug}-200-after-anything`, `${slug}-200-beside-anything`, 'unread-body-update-inventory'],
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
