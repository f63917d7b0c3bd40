import { type Redact, redactor, type Secret } from '../http/redact.ts'

/** The secrets that a run knows. No output shows them. */
interface Secrets {
  readonly apiKey?: string | undefined
  readonly revokedApiKey?: string | undefined
  readonly statesToken?: string | undefined
  readonly otherSecrets?: readonly Secret[] | undefined
}

/** Replaces every secret of the target in a text. */
export const redactorFor = (secrets: Secrets): Redact => redactor(secretsOf(secrets))

export const secretsOf = ({
  apiKey = '',
  revokedApiKey = '',
  statesToken = '',
  otherSecrets = [],
}: Secrets): Secret[] => [
  { value: apiKey, variable: 'STORE_API_KEY', parts: true },
  { value: revokedApiKey, variable: 'STORE_REVOKED_API_KEY', parts: true },
  { value: statesToken, variable: 'STORE_STATES_TOKEN', parts: true },
  ...otherSecrets,
]
