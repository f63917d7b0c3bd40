import { describe, expect, it } from 'vitest'
import { soundVectors } from './testing/sound.ts'
import { verifyCertificate } from './verify.ts'

const sound = await soundVectors()

describe('a sound certificate', () => {
  it.each(sound)('$name', async ({ files, keys, challenge, now }) => {
    const { fresh, signers } = await verifyCertificate(files, { keys, challenge, now })
    expect(signers).toHaveLength(keys.length)
    expect(fresh).toBe(challenge !== undefined)
  })
})
