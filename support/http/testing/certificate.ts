import { generate } from 'selfsigned'

/** A self-signed certificate for 127.0.0.1 and its key, both as PEM. */
export async function selfSigned(): Promise<{ readonly key: string; readonly cert: string }> {
  const { private: key, cert } = await generate(
    [
      { name: 'organizationName', value: 'Test Authority' },
      { name: 'commonName', value: 'localhost' },
    ],
    {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    },
  )
  return { key, cert }
}
