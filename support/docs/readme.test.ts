import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { referenceStore, serve } from '../reference/index.ts'
import { settingInfos } from '../settings/settings.ts'
import { blocksOf } from './testing/blocks.ts'
import { type Stranger, stranger } from './testing/stranger.ts'

const root = new URL('../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')
const blocks = blocksOf('../../README.md')

/** What runs print. */
const shown = blocks.filter(({ language, text }) => language === 'text' && !text.startsWith('suites/'))

/** Ports, and ids of what was arranged, are others each time. */
const anywhere = (text = 'nothing is shown') =>
  text
    .replaceAll(/127\.0\.0\.1:[0-9]+/g, '127.0.0.1:1')
    .replaceAll(/(inventory\/|"petId":)[0-9]+/g, '$17')
    .replaceAll(/content-length: [0-9]+/g, 'content-length: 1')

let place: Stranger
beforeAll(async () => {
  place = await stranger()
})
afterAll(() => place.leave())

describe('README', () => {
  it('names commands, flags and scripts that there are', async () => {
    const { stdout: help } = await place.run('store-conformance', ['--help'])
    const flags = Object.values(settingInfos).flatMap(info => ('flag' in info ? [info.flag as string] : []))
    for (const [, command] of readme.matchAll(/npx store-conformance ([a-z]+)/g)) {
      expect(help).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'))
    }
    for (const [, flag = ''] of readme.matchAll(/`(--[a-z-]+)/g)) expect(flags).toContain(flag)
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    for (const [, script = ''] of readme.matchAll(/npm run ([a-z:]+)/g))
      expect(scripts).toHaveProperty(script)
  })

  it('links to files that there are', () => {
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) expect(existsSync(new URL(link, root)), link).toBe(true)
  })

  it('says how many faults and freedoms there are', () => {
    const [, ofFaults, ofFreedoms] = /(\d+) faults and more than (\d+) freedoms/.exec(readme) ?? []
    expect(faults.length).toBe(Number(ofFaults))
    expect(freedoms.length).toBeGreaterThan(Number(ofFreedoms))
  })

  it('shows what a run prints', async () => {
    const { code, stdout } = await place.run('store-conformance', ['run', '--seed', '42'])
    expect(code, stdout).toBe(0)
    expect(anywhere(stdout)).toContain(anywhere(shown[0]?.text))
  })

  it('shows what a run prints of a broken store', async () => {
    const overrides = faults.filter(({ id }) => id === 'update-adds').map(({ override }) => override)
    const store = referenceStore({ overrides })
    const served = await serve(store)
    try {
      const args = ['run', '--seed', '42', '--base-url', served.baseUrl, '--states-url', served.statesUrl]
      const { code, stdout } = await place.run('store-conformance', args, { STORE_API_KEY: store.apiKey })
      expect(code, stdout).toBe(1)
      expect(anywhere(stdout)).toContain(anywhere(shown[1]?.text))
    } finally {
      await served.close()
    }
  })

  it('shows a program that judges a store', async () => {
    const [block] = blocks.filter(({ language }) => language === 'js')
    const store = referenceStore()
    const served = await serve(store)
    try {
      const text = (block?.text ?? '').replace('http://127.0.0.1:8080/v1', served.baseUrl)
      expect(text).toContain(served.baseUrl)
      place.write({ 'readme.mjs': text })
      const { code, stdout, stderr } = await place.run('node', ['readme.mjs'], {
        STORE_API_KEY: store.apiKey,
      })
      expect(code, stderr).toBe(0)
      expect(stdout).toMatch(/^incomplete /)
    } finally {
      await served.close()
    }
  })

  it('shows a run by named ids that ends as it says', async () => {
    const [shown = ''] = /export STORE_API_KEY=…[^`]*/.exec(readme) ?? []
    const store = referenceStore()
    const { orderIds: pending = [] } = store.states.setup('pending orders', { count: 3 })
    const { orderIds: shipped = [] } = store.states.setup('shipped orders', { count: 2 })
    const { petIds: pets = [] } = store.states.setup('pets', { count: 2, quantity: 5 })
    const served = await serve(store)
    try {
      const text = shown
        .replace('…', store.apiKey)
        .replace('https://staging.store.example/v1', served.baseUrl)
        .replace('1001,1002,1003', pending.join(','))
        .replace('2001,2002', shipped.join(','))
        .replace('--pets 1,2', `--pets ${pets.join(',')}`)
        .replace('npx ', '')
      const { code, stdout, stderr } = await place.run('bash', ['-c', text])
      expect(code, stdout + stderr).toBe(0)
      expect(stdout).toContain('Conformant: ')
    } finally {
      await served.close()
    }
  })
})
