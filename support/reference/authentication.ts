import { hash, timingSafeEqual } from 'node:crypto'
import type { Decisions } from './decisions.ts'
import { keyInvalid, keyMissing } from './refusal.ts'

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Compares digests of equal length, so that the time shows neither where two keys differ nor how long the right one is. */
export const equalInConstantTime = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other))

/** Schemes are compared without case (RFC 9110 §11.1), keys with it. */
export const bearerToken = (headers: Headers): string | undefined =>
  /^Bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]

export const authentication = {
  authenticate: ctx => {
    const sent = ctx.decide.credential(ctx)
    if (sent === undefined) throw keyMissing(ctx.headers.get('authorization'))
    if (!ctx.decide.isKey(sent, ctx)) throw keyInvalid()
  },
  credential: ctx => bearerToken(ctx.headers),
  isKey: (sent, { keys }) =>
    equalInConstantTime(sent, keys.valid) &&
    !keys.revoked.some(revoked => equalInConstantTime(sent, revoked)),
} satisfies Partial<Decisions>
