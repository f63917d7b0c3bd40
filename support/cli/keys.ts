import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isUsableKey } from '../certificate/dsse.ts'
import { UsageError } from './usage.ts'

/** @throws {UsageError} that quotes nothing of the file */
export function readPrivateKey(file: string): KeyObject {
  return usable(file, () => createPrivateKey(textOf(file)), 'private')
}

/** @throws {UsageError} */
export function readPublicKey(file: string): KeyObject {
  const text = textOf(file)
  if (text.includes('PRIVATE KEY'))
    throw new UsageError(`${file} is a private key. Give the public one: openssl pkey -in ${file} -pubout`)
  return usable(file, () => createPublicKey(text), 'public')
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    )
  }
}

function usable(file: string, read: () => KeyObject, kind: string): KeyObject {
  let key: KeyObject | undefined
  try {
    key = read()
  } catch {
    throw new UsageError(`${file} is not a ${kind} key in PEM without a passphrase`)
  }
  if (isUsableKey(key)) return key
  throw new UsageError(`${file} is a key of another kind. Use Ed25519 or ECDSA P-256.`)
}
