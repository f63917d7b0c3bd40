import { BroadcastChannel } from 'node:worker_threads'

/** What a test shows of its rule. */
export interface Answer {
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The failure, or why there is no result, or what an observation saw. */
  readonly text: string
  readonly allure: AllureFacts
}

/** What Allure shows of a test beside its result. */
export interface AllureFacts {
  readonly labels: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
  readonly links?: readonly { readonly url: string; readonly name: string }[]
  readonly description?: string
  readonly attachments?: readonly {
    readonly name: string
    readonly content: string
    readonly type: 'text/plain' | 'application/json'
  }[]
}

/** The subject of the test that states the verdict. No rule has this id. */
export const VERDICT = 'verdict'

/** The name of the test of a rule or an observation. */
export const testName = ({ id, title }: { readonly id: string; readonly title: string }): string =>
  `${id}: ${title}`

const NAME = 'store-conformance'

type Message = { readonly id: string } & ({ readonly asked: true } | { readonly answer: Answer })

/**
 * Main thread: answers the tests. The run is in the main thread, so that stock is restored however a worker ends.
 * @returns a function that stops answering
 */
export function answerTests(answer: (id: string) => Promise<Answer>): () => void {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = async event => {
    const message = (event as { data: Message }).data
    if ('asked' in message)
      channel.postMessage({ id: message.id, answer: await answer(message.id) } satisfies Message)
  }
  channel.unref()
  return () => channel.close()
}

/** Worker thread: asks for the answer about a rule, an observation or the verdict. */
export function askMain(id: string): Promise<Answer> {
  const channel = new BroadcastChannel(NAME)
  return new Promise(resolve => {
    channel.onmessage = event => {
      const message = (event as { data: Message }).data
      if (message.id !== id || !('answer' in message)) return
      channel.close()
      resolve(message.answer)
    }
    channel.postMessage({ id, asked: true } satisfies Message)
  })
}
