import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { sha256 } from './digest.ts'
import { fileCalled, Refused } from './refused.ts'
import { type CertificateFiles, ENVELOPE } from './statement.ts'
import { arrayOf, digest, jsonFile, strictJson } from './strict-json.ts'

/** DSSE 1.0: signatures over exact bytes and their type, so that nobody has to agree on how JSON is written. */
const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

const signature = z.strictObject({ keyid: digest, sig: z.string() })
const envelopeFile = z.strictObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.string(),
  signatures: arrayOf(signature, 16),
})

export interface Envelope {
  readonly payload: Buffer
  readonly signatures: readonly { readonly keyid: string; readonly sig: Buffer }[]
}

const paeOf = (payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload])

/** SHA-256 of the public key (SubjectPublicKeyInfo, DER). Only a hint: the customer decides which key is trusted. */
export const keyId = (key: KeyObject): string =>
  sha256((key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' }))

/** Ed25519 signs the bytes, ECDSA their SHA-256. */
const hashFor = (key: KeyObject): 'sha256' | null => (key.asymmetricKeyType === 'ed25519' ? null : 'sha256')

export const isUsableKey = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ed25519' ||
  (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1')

/** The envelope with a further signature. */
export const signed = ({ payload, signatures }: Envelope, key: KeyObject): Envelope => ({
  payload,
  signatures: [...signatures, { keyid: keyId(key), sig: sign(hashFor(key), paeOf(payload), key) }],
})

/** Whether one of the signatures was made with the private key of this public key. */
export const isSignedBy = ({ payload, signatures }: Envelope, key: KeyObject): boolean =>
  signatures.some(({ sig }) => verify(hashFor(key), paeOf(payload), key, sig))

export const printEnvelope = ({ payload, signatures }: Envelope): Buffer =>
  jsonFile({
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig: sig.toString('base64') })),
  })

/** @throws {Refused} */
export function readEnvelope(files: CertificateFiles): Envelope {
  const { payload, signatures } = strictJson(fileCalled(files, ENVELOPE), ENVELOPE, envelopeFile)
  const ids = signatures.map(({ keyid }) => keyid)
  if (new Set(ids).size < ids.length) throw new Refused(ENVELOPE, 'has two signatures of one key')
  return {
    payload: fromBase64(payload, `${ENVELOPE}: payload`),
    signatures: signatures.map(({ keyid, sig }, at) => ({
      keyid,
      sig: fromBase64(sig, `${ENVELOPE}: signatures[${at}].sig`),
    })),
  }
}

/** One spelling for one value, so that nothing can be hidden in unused bits. */
function fromBase64(text: string, place: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw new Refused(place, 'is not base64 in the form of RFC 4648 §4')
  return bytes
}
