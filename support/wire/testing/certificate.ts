import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'

/** A new key and a self-signed certificate for 127.0.0.1, as PEM. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const args = [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', '/O=Test Authority', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', '-'],
  ]
  const pem = execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' })
  const start = pem.indexOf('-----BEGIN CERTIFICATE')
  return { key: pem.slice(0, start), cert: pem.slice(start) }
}

/** A new key that can sign, and its public key, as PEM. */
export const keyPair = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
