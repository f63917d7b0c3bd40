import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { parse } from 'dotenv'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { addRestore } from '../cli/restore.ts'
import { addRun } from '../cli/run.ts'
import { givenSettings, type JudgeOptions, optionMistakes } from '../embed/options.ts'
import { configure } from './configuration.ts'
import { readConfiguration } from './environment.ts'
import { exampleText, type Setting, type SettingName, settingNames, settingOf, settings } from './settings.ts'

it('.env.example has every variable, with its meaning and its flag (vitest -u writes it)', async () => {
  await expect(exampleText()).toMatchFileSnapshot('../../.env.example')
})

it.each(['base', 'staging'] as const)('the values of .env.example for the target %s are valid', target => {
  const values = parse(exampleText().replaceAll(/^#(?=STORE)/gm, ''))
  // These files exist only on the user's machine.
  const files = ['statesModule', 'clientCert', 'clientKey']
  const raw = settingNames().flatMap(name => {
    const { variable, targets = [target] } = settingOf(name)
    const isUsed = variable !== undefined && !files.includes(name) && targets.includes(target)
    return isUsed ? [[name, values[variable]] as const] : []
  })
  expect(configure({ ...Object.fromEntries(raw), target })).not.toHaveProperty('mistakes')
})

it('every setting has a variable or a flag, and no secret has a flag', () => {
  for (const name of settingNames()) {
    const { variable, flag } = settingOf(name)
    expect([name, variable ?? flag]).not.toContain(undefined)
    if (/apiKey$|ApiKey$|Token$/.test(name)) expect(flag).toBeUndefined()
  }
})

describe('a setting that is added to the table', () => {
  const colour: Setting = {
    schema: z.enum(['red', 'green']).default('green'),
    variable: 'STORE_COLOUR',
    flag: '--colour <name>',
    meaning: 'colour of the store',
    example: 'red',
    also: ['restore', 'judge'],
  }
  beforeAll(() => void Object.assign(settings, { colour }))
  afterAll(() => void Reflect.deleteProperty(settings, 'colour'))

  const name = 'colour' as SettingName
  const helpOf = (add: (command: Command) => unknown) => {
    const command = new Command()
    add(command)
    return command.helpInformation()
  }
  const folder = mkdtempSync(join(tmpdir(), 'store-conformance-'))

  it('is a flag in the help of the commands that take it', () => {
    expect(helpOf(addRun)).toMatch(/--colour <name> +colour of the store/)
    expect(helpOf(addRestore)).toMatch(/--colour <name> +colour of the store/)
  })

  it('is a variable, which a flag replaces, and a value of the configuration', () => {
    const colourOf = (flags: object) => readConfiguration(flags, { STORE_COLOUR: 'red' }, folder)
    expect(colourOf({})).toHaveProperty('configuration.colour', 'red')
    expect(colourOf({ colour: 'green' })).toHaveProperty('configuration.colour', 'green')
  })

  it('is an option of judge()', () => {
    const options = { [name]: 'red' } as JudgeOptions
    expect(optionMistakes(options)).toEqual([])
    expect(givenSettings(options)).toMatchObject({ colour: 'red' })
    expectTypeOf<NonNullable<JudgeOptions['gate']>>().toEqualTypeOf<'required' | 'implied' | 'advisory'>()
    expectTypeOf<JudgeOptions['runs']>().toEqualTypeOf<number | undefined>()
    type Ids = readonly (string | number | bigint)[]
    expectTypeOf<JudgeOptions['pets']>().toEqualTypeOf<Ids | 'any' | undefined>()
    expectTypeOf<JudgeOptions>().not.toHaveProperty('reportsDir')
  })
})
