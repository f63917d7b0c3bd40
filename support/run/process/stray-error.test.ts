import { expect, it } from 'vitest'
import { configure } from '../../settings/configuration.ts'
import { strayErrorText } from './stray-error.ts'

const configurationWith = (raw: Parameters<typeof configure>[0]) => {
  const configured = configure({ baseUrl: 'https://store.example/v1', apiKey: 'Stray-Key-4711', ...raw })
  if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
  return configured.configuration
}

it.each<[unknown, string]>([
  [new TypeError('no pool'), 'TypeError: no pool was thrown'],
  [new Error('failed', { cause: new Error('refused') }), 'Error: failed (refused) was thrown'],
  ['a text', "'a text' was thrown"],
  [undefined, 'undefined was thrown'],
  [Object.create(null), '[Object: null prototype] {} was thrown'],
  [new Error('with Stray-Key-4711'), 'Error: with $STORE_API_KEY was thrown'],
])('%s', (error, text) => {
  expect(strayErrorText(error, configurationWith({}))).toContain(text)
})

it('names the states module, or else store-conformance itself, as the origin', () => {
  const module = { ...configurationWith({}), statesModule: './states.mjs' }
  expect(strayErrorText(1, module)).toContain('most likely by the states module ./states.mjs')
  expect(strayErrorText(1, configurationWith({}))).toContain('by store-conformance itself')
})
