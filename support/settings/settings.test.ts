import { parse } from 'dotenv'
import { expect, expectTypeOf, it } from 'vitest'
import type { JudgeOptions } from '../embed/options.ts'
import { configure } from './configuration.ts'
import { allSettings, exampleText } from './settings.ts'

it('.env.example has every variable, with its meaning and its flag (vitest -u writes it)', async () => {
  await expect(exampleText()).toMatchFileSnapshot('../../.env.example')
})

it.each(['base', 'staging'] as const)('the values of .env.example for the target %s are valid', target => {
  const values = parse(exampleText().replaceAll(/^#(?=STORE)/gm, ''))
  // These files exist only on the user's machine.
  const files = ['statesModule', 'clientCert', 'clientKey', 'expectedFailures']
  const raw = allSettings.flatMap(({ name, variable, targets = [target] }) => {
    const isUsed = variable !== undefined && !files.includes(name) && targets.includes(target)
    return isUsed ? [[name, values[variable]] as const] : []
  })
  expect(configure({ ...Object.fromEntries(raw), target })).not.toHaveProperty('mistakes')
})

it('every setting has a variable or a flag, and no secret has a flag', () => {
  for (const { name, variable, flag } of allSettings) {
    expect([name, variable ?? flag]).not.toContain(undefined)
    if (/apiKey$|ApiKey$|Token$/.test(name)) expect(flag).toBeUndefined()
  }
})

it('the types of the options of judge() follow from the settings', () => {
  expectTypeOf<NonNullable<JudgeOptions['gate']>>().toEqualTypeOf<'required' | 'implied' | 'advisory'>()
  expectTypeOf<JudgeOptions['seed']>().toEqualTypeOf<number | undefined>()
  type Ids = readonly (string | number | bigint)[]
  expectTypeOf<JudgeOptions['pets']>().toEqualTypeOf<Ids | 'any' | undefined>()
  expectTypeOf<JudgeOptions>().not.toHaveProperty('reportsDir')
})
