import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { ReportFile } from '../report/report.ts'
import * as archive from './archive.ts'
import { LOG, REPORT, STATEMENT, sha256 } from './archive.ts'

const spki = (key: KeyObject): Buffer =>
  (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' })

/** SHA-256 of the public key, as of the output of `openssl pkey -pubin -in PUB.pem -outform DER`. */
export const fingerprint = (key: KeyObject): string => sha256(spki(key))

export const isUsableKey = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'ed25519' ||
  (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1')

/** in-toto Statement v1. Everything in it follows from the files and the key. */
export const statementOf = (
  files: Omit<archive.CertificateFiles, typeof STATEMENT>,
  { verdict, profile, gate, seed, suite, target, store, startedAt }: ReportFile,
  key: KeyObject,
) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: ([REPORT, LOG] as const).map(name => ({ name, digest: { sha256: sha256(files[name]) } })),
  predicateType: 'https://store-conformance.example/certificate/v1',
  predicate: {
    ...{ verdict, profile, gate, seed, suite, target, store, startedAt },
    publicKey: spki(key).toString('base64'),
  },
})

/** DSSE 1.0 signs exact bytes and their type, so that nobody has to agree on how JSON is written. */
const TYPE = 'application/vnd.in-toto+json'

const signedBytes = (payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} `), payload])

/** Ed25519 signs the bytes, ECDSA their SHA-256. */
const hashFor = (key: KeyObject): 'sha256' | null => (key.asymmetricKeyType === 'ed25519' ? null : 'sha256')

const envelope = (payload: Uint8Array, key: KeyObject, sig: Uint8Array) => ({
  payloadType: TYPE,
  payload: Buffer.from(payload).toString('base64'),
  signatures: [{ keyid: fingerprint(key), sig: Buffer.from(sig).toString('base64') }],
})

/** `statement.json`. @param payload the statement */
export const signed = (payload: Uint8Array, key: KeyObject): Uint8Array =>
  Buffer.from(archive.ownJson(envelope(payload, key, sign(hashFor(key), signedBytes(payload), key))))

/** The statement, and the key that it names. @throws {Refused} unless that key has signed it */
export function readSigned(bytes: Uint8Array) {
  const { payload: content, signatures }: ReturnType<typeof envelope> = archive.readJson(bytes)
  const payload = Buffer.from(content, 'base64')
  const statement: ReturnType<typeof statementOf> = archive.readJson(payload)
  const der = Buffer.from(statement.predicate.publicKey, 'base64')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const sig = Buffer.from(signatures[0]?.sig ?? '', 'base64')
  if (!isUsableKey(key) || !verify(hashFor(key), signedBytes(payload), key, sig))
    throw new archive.Refused(`${STATEMENT} does not have a valid signature by the key that it names`)
  archive.checkWriting(STATEMENT, bytes, archive.ownJson(envelope(payload, key, sig)))
  return { statement, payload, key }
}
