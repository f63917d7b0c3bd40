import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { isUsableKey } from '../certificate/statement.ts'
import { MEGABYTE, readInput } from '../http/read-input.ts'
import { Misconfigured } from '../judge/outcome.ts'

const kinds = { private: createPrivateKey, public: createPublicKey }

/** @throws {Misconfigured} that quotes nothing of the file */
export function readKey(kind: keyof typeof kinds, file: string): KeyObject {
  let text: string
  try {
    text = readInput(file, MEGABYTE).toString('utf8')
  } catch (error) {
    throw new Misconfigured(`${file} ${(error as Error).message}`)
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
