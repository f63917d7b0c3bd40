import { lastOf, scenario, sendUntilComplete } from '../support/authoring/index.ts'

type List = 'listOrders' | 'listInventory'

export const listed = (operation: List, title: string) =>
  scenario(title, {}, async ({ store }) => {
    const answers = await sendUntilComplete(() => store[operation]())
    return { answers, list: lastOf(answers) }
  })

/** Every list of the run, so that a wrong entry is found whenever and wherever it appears. */
export const everyList = (operation: List, title: string) =>
  scenario(title, { turn: 'end' }, async ({ store, lists }) => {
    await store[operation]({ step: 'at the end of the run' })
    const answers = lists(operation)
    return { answers, lists: answers.filter(({ response }) => response?.status === 200) }
  })
