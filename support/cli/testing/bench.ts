import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import {
  type ReferenceStore,
  referenceStore,
  type ServedStore,
  type StoreOptions,
  serve,
} from '../../reference/index.ts'
import { command, conformanceTests, discard, type Ended } from './command.ts'
import { type PlainStore, plainStore } from './store.ts'

/** Starts commands and stores for the tests of one file, and closes them after the last test. */
export function bench() {
  const ends: (() => unknown)[] = []
  afterAll(async () => {
    await Promise.all(ends.map(end => end()))
  })
  return {
    run: async (...args: Parameters<typeof command>): Promise<Ended> => {
      const ended = await command(...args)
      ends.push(() => discard(ended))
      return ended
    },
    /** `npx vitest run --project conformance` */
    vitest: async (...args: Parameters<typeof conformanceTests>): Promise<Ended> => {
      const ended = await conformanceTests(...args)
      ends.push(() => discard(ended))
      return ended
    },
    plain: async (...args: Parameters<typeof plainStore>): Promise<PlainStore> => {
      const store = await plainStore(...args)
      ends.push(store.close)
      return store
    },
    reference: async (options: StoreOptions = {}): Promise<ReferenceStore & ServedStore> => {
      const store = referenceStore(options)
      const served = await serve(store)
      ends.push(served.close)
      return { ...store, ...served }
    },
    /** Lets a server listen on a free port, and returns its origin. */
    listening: async (server: Pick<Server, 'listen' | 'address' | 'close' | 'closeAllConnections'>) => {
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      ends.push(() => {
        server.close()
        server.closeAllConnections()
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    /** Anything else that has to be closed. */
    closing: (end: () => unknown) => ends.push(end),
  }
}
