import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { issue } from '../certify.ts'
import { type RecordedStore, recorded } from './recorded.ts'

/** A certificate that every checker has to accept, and how it is checked. */
export interface Vector {
  readonly name: string
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly keys: readonly KeyObject[]
  readonly challenge?: string
  readonly now: number
}

const ed25519 = () => generateKeyPairSync('ed25519').privateKey
const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
export const vendor = ed25519()
const witness = p256()
export const stranger = ed25519()
const challenge = randomBytes(32).toString('hex')

const waiver = (rule: string, expires: string) => ({
  rule,
  operation: 'cancelOrder',
  reason: 'known, “accepted”',
  owner: 'Customer',
  expires,
})
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

/** The runs from which the certificates are made. */
const runs: Readonly<Record<string, RecordedStore>> = {
  'of arranged orders': { settings: { profile: '1.0.0-stable' } },
  'of a challenge': {
    named: true,
    challenge,
    settings: { seed: 0, profile: '1.0.0-stable', concurrency: 3 },
  },
  'of a challenge, for a store with a name, with the gate advisory': {
    named: true,
    challenge,
    settings: { seed: 0, storeName: 'Zoo "Ü" \\ 動物', storeVersion: '1/2', gate: 'advisory' },
  },
  'of two waivers, one of them a glob that expires tomorrow': {
    named: true,
    changes: ['orders-newest-first', 'pretty', 'further-headers', 'cancel-200', 'shipped-cancelled'],
    waivers: [waiver('cancel-shipped-409', '2099-12-31'), waiver('cancel-pend*-204', tomorrow)],
    settings: { concurrency: 2 },
  },
}

const signatures: Readonly<Record<string, readonly KeyObject[]>> = {
  unsigned: [],
  'signed with Ed25519': [vendor],
  'signed with ECDSA P-256': [witness],
  witnessed: [vendor, witness],
  'signed by a stranger as well': [vendor, stranger],
}

/** Every run, and one of them with every kind of signature. */
export async function soundVectors(): Promise<Vector[]> {
  const vectors: Vector[] = []
  for (const [name, store] of Object.entries(runs)) {
    const run = await recorded(store)
    for (const [how, keys] of Object.entries(signatures)) {
      if (how !== 'unsigned' && name !== 'of a challenge') continue
      const now = Date.now()
      const { files } = issue(run, { keys, validDays: 30, issuedAt: now })
      vectors.push({
        name: `${how}, ${name}`,
        files,
        keys: keys.filter(key => key !== stranger).map(createPublicKey),
        ...(store.challenge === undefined ? {} : { challenge: store.challenge }),
        now,
      })
    }
  }
  return vectors
}
