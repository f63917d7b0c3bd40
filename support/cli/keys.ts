import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { isUsableKey, keyId } from '../certificate/dsse.ts'
import { MEGABYTE, readInput, type Unreadable } from '../http/read-input.ts'
import { Misconfigured } from '../judge/outcome.ts'

const kinds = { private: createPrivateKey, public: createPublicKey }

/** @throws {Misconfigured} that quotes nothing of the files, or if two of them contain the same key */
export function readKeys(kind: keyof typeof kinds, files: readonly string[]): readonly KeyObject[] {
  const keys = files.map(file => readKey(kind, file))
  const ids = keys.map(keyId)
  const again = ids.findIndex((id, at) => ids.indexOf(id) < at)
  if (again < 0) return keys
  const first = files[ids.indexOf(ids[again] as string)]
  throw new Misconfigured(`${files[again]} has the same key as ${first}; give each key once`)
}

/** @throws {Misconfigured} that quotes nothing of the file */
export function readKey(kind: keyof typeof kinds, file: string): KeyObject {
  let text: string
  try {
    text = readInput(file, MEGABYTE).toString('utf8')
  } catch (error) {
    throw new Misconfigured(`${file} ${(error as Unreadable).message}`)
  }
  if (kind === 'public' && text.includes('PRIVATE KEY'))
    throw new Misconfigured(`${file} is a private key. Give the public one: openssl pkey -in ${file} -pubout`)
  // OpenSSL and Node read only the first one, so nobody would notice the other.
  if ((text.match(/-----BEGIN/g)?.length ?? 0) > 1)
    throw new Misconfigured(`${file} contains more than one key or certificate. Give a file for each key.`)
  let key: KeyObject
  try {
    key = kinds[kind](text)
  } catch {
    throw new Misconfigured(`${file} is not a ${kind} key in PEM without a passphrase`)
  }
  if (isUsableKey(key)) return key
  throw new Misconfigured(`${file} is a key of another kind. Use Ed25519 or ECDSA P-256.`)
}
