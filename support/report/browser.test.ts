import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { reportHtml } from './formats.ts'
import { HOSTILE, hostileReport, reportWith } from './testing/fixtures.ts'

const reports = {
  conformant: reportWith(),
  'one failure': reportWith({ failed: 1 }),
  'many failures': reportWith({ failed: 25, untested: 12, cantTell: 4 }),
  unreachable: reportWith({ unreachable: 'https://store.example/v1 cannot be reached' }),
  hostile: hostileReport(...HOSTILE.filter(text => text.trim() !== '')),
}
type Name = keyof typeof reports
const names = Object.keys(reports) as Name[]

let browser: Browser
const folder = newFolder()
const pathOf = (name: Name) => join(folder, `${name.replaceAll(' ', '-')}.html`)

/** CHROMIUM_PATH names a Chromium elsewhere (Debian: apt-get install -y chromium). */
beforeAll(async () => {
  for (const name of names) writeFileSync(pathOf(name), reportHtml(reports[name]))
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  browser = await chromium.launch({ executablePath, args })
})
afterAll(() => browser?.close())

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

async function opened(name: Name, options: BrowserContextOptions = {}, said: string[] = []): Promise<Page> {
  const page = await browser.newPage({ viewport: desktop, ...options })
  page.on('console', message => said.push(message.text()))
  page.on('pageerror', error => said.push(error.message))
  page.on('request', request => said.push(request.url()))
  await page.goto(pathToFileURL(pathOf(name)).href)
  return page
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const violations = (page: Page, type: 'tag' | 'rule', values: readonly string[]): Promise<unknown> =>
  page.evaluate(`axe.run({ runOnly: ${JSON.stringify({ type, values })}, resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200) + ' ' + nodes[0].failureSummary))`)

it.concurrent.each(names)(
  'the page (%s) loads nothing, is accessible, and fits phones, tablets and desktops, light and dark',
  async name => {
    const said: string[] = []
    const page = await opened(name, { bypassCSP: true }, said)
    expect(said).toEqual([page.url()])
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    for (const viewport of [phone, { width: 800, height: 1000 }, desktop]) {
      await page.setViewportSize(viewport)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
    }
    // Further rows of a list would repeat the same checks, and take minutes.
    await page.evaluate("for (const each of document.querySelectorAll('li:nth-child(n+4)')) each.remove()")
    await page.addScriptTag({ content: axe })
    expect(await violations(page, 'tag', everything)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'rule', ['color-contrast'])).toEqual([])
    await page.close()
  },
)

it('filters all rules by words of their text, outcome, operation and level, with the keyboard alone', async () => {
  const said: string[] = []
  const page = await opened('one failure', {}, said)
  expect(said, 'the browser blocks neither its style nor its script').toEqual([page.url()])
  const shown = () => page.locator('#rules li:visible').allTextContents()
  const all = await shown()
  await page.locator('.filter input').focus()
  for (const words of ['404 Error', 'cancelOrder implied', 'not met']) {
    await page.keyboard.type(words)
    const patterns = words.split(' ').map(each => new RegExp(each, 'i'))
    const found = all.filter(text => patterns.every(each => each.test(text)))
    expect(await shown()).toEqual(found)
    const says = `${found.length} of ${all.length} rules`
    expect(await page.locator('.filter output').textContent()).toBe(says)
    expect(await page.locator('#rules h3:visible').count()).toBeLessThan(30)
    await page.keyboard.press('Escape')
  }
  expect(await shown()).toEqual(all)
  await page.keyboard.type('failed')
  expect(await shown()).toEqual([expect.stringContaining('auth-valid-key')])
  // A click selects a whole command, and nothing else, to copy it.
  await page.locator('.facts .command').first().click()
  const command = 'npx --no-install store-conformance run --pets 1,2 --only auth-valid-key --seed 42'
  expect(await page.evaluate('getSelection().toString()')).toBe(command)
})

it('prints everything, on white, and links without JavaScript', async () => {
  const page = await opened('many failures', { colorScheme: 'dark', javaScriptEnabled: false })
  const link = page.locator('main a').last()
  const target = (await link.getAttribute('href')) ?? ''
  await link.click()
  expect(await page.locator(`[id="${target.slice(1)}"]`).isVisible()).toBe(true)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const printed = page.locator('#rules li, .finding > .facts')
  const heights: number[] = await printed.evaluateAll(all => all.map(each => each.clientHeight))
  expect(heights.length).toBeGreaterThan(280)
  expect(Math.min(...heights)).toBeGreaterThan(10)
  expect(await page.locator('.filter').isVisible()).toBe(false)
  const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  expect(background).toBe('rgb(255, 255, 255)')
  expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(1_000)
})

it('the first screen of a phone says what failed, what was expected and what came', async () => {
  const page = await opened('many failures', { viewport: phone })
  const first = page.locator('main li:has-text("expected")').first()
  const { y = phone.height, height = 0 } = (await first.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual(phone.height)
  expect(await first.textContent()).toMatch(/auth-valid-key .*: expected 409, got 204/)
})
