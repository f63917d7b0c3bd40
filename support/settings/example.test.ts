import { readFileSync } from 'node:fs'
import { parse } from 'dotenv'
import { expect, it } from 'vitest'
import { configure } from './configuration.ts'
import { type SettingInfo, type SettingName, settingInfos, valuesOf } from './settings.ts'

const infos = Object.entries(settingInfos) as [SettingName, SettingInfo][]
const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')

const HEAD = `# Copy to .env and fill in. A flag wins over the environment, the environment over this file.
# .env contains secrets: git ignores it; give it mode 600.
`

it('.env.example has every variable, with its meaning and its flag', () => {
  const entries = infos.flatMap(([, { variable, flag, meaning, example: value }]) =>
    variable === undefined ? [] : [`\n# ${meaning}${flag ? ` (${flag})` : ''}\n#${variable}=${value}\n`],
  )
  expect(example).toBe(HEAD + entries.join(''))
})

/** Files that exist only on the user's machine. */
const FILES: readonly SettingName[] = ['statesModule', 'clientCert', 'clientKey']

it('its values are valid', () => {
  const values = parse(example.replaceAll(/^#(?=STORE)/gm, ''))
  const raw = infos.flatMap(([name, { variable }]) =>
    variable === undefined || FILES.includes(name) ? [] : [[name, values[variable]] as const],
  )
  expect(configure(valuesOf(Object.fromEntries(raw)))).not.toHaveProperty('mistakes')
})
