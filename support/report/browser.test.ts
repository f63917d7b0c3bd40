import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { reportHtml } from './formats.ts'
import type { Report } from './report.ts'
import { HOSTILE, hostileReport, reportWith } from './testing/fixtures.ts'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
]

const reports: Record<string, Report> = {
  conformant: reportWith(),
  'one failure': reportWith({ failed: 1 }),
  'a hundred failures': reportWith({ failed: 100, untested: 12, cantTell: 4 }),
  unreachable: reportWith({ unreachable: 'https://store.example/v1 cannot be reached' }),
  hostile: hostileReport(...HOSTILE.filter(text => text.trim() !== '')),
}

const pages: Record<string, string> = Object.fromEntries(
  Object.entries(reports).map(([name, report]) => [name, reportHtml(report)]),
)
let browser: Browser
const folder = newFolder()

beforeAll(async () => {
  if (!existsSync(executablePath)) {
    throw new Error(
      `These tests need Chromium, but ${executablePath} does not exist. Install it (apt-get install -y chromium), or set CHROMIUM_PATH.`,
    )
  }
  browser = await chromium.launch({ executablePath, args })
})

afterAll(() => browser?.close())

/** Opens the page from disk, and passes it on with its console messages and its requests. */
async function opened<Result>(
  name: string,
  options: BrowserContextOptions,
  look: (page: Page, notes: { readonly said: string[]; readonly asked: string[] }) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, `${name.replaceAll(' ', '-')}.html`)
  if (!existsSync(path)) writeFileSync(path, pages[name] as string)
  const context = await browser.newContext(options)
  const notes = { said: [] as string[], asked: [] as string[] }
  try {
    const page = await context.newPage()
    page.on('console', message => notes.said.push(message.text()))
    page.on('pageerror', error => notes.said.push(error.message))
    page.on('request', request => notes.asked.push(request.url()))
    await page.goto(pathToFileURL(path).href)
    return await look(page, notes)
  } finally {
    await context.close()
  }
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

it.concurrent.each(Object.keys(pages))(
  'the page (%s) loads nothing, is accessible, and fits phones, tablets and desktops, light and dark',
  name =>
    opened(name, { viewport: desktop, bypassCSP: true }, async (page, { said, asked }) => {
      expect(said).toEqual([])
      expect(asked).toEqual([page.url()])
      // A hundred unfolded failures would repeat the same checks, and take minutes.
      if (name !== 'a hundred failures')
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
      const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
      await page.addScriptTag({ content: await readFile(axe, 'utf8') })
      expect(await violations(page, everything)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page, { type: 'rule', values: ['color-contrast'] })).toEqual([])
      for (const viewport of [phone, { width: 800, height: 1000 }, desktop]) {
        await page.setViewportSize(viewport)
        expect(await page.evaluate(overflow), `${viewport.width}`).toBe(0)
      }
    }),
  240_000,
)

const everything = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
const violations = (page: Page, runOnly: typeof everything): Promise<unknown> =>
  page.evaluate(`axe.run({ runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200) + ' ' + nodes[0].failureSummary))`)

describe('with JavaScript', () => {
  it('filters all rules by text, outcome, operation and level, with the keyboard alone', () =>
    opened('one failure', { viewport: desktop }, async page => {
      const shown = () => page.locator('#rules [data-outcome]:visible').allTextContents()
      const all = await shown()
      await page.locator('.filter input').focus()
      await page.keyboard.type('404 Error')
      const found = await shown()
      expect(found.length).toBeGreaterThan(0)
      expect(found).toEqual(all.filter(text => /404/.test(text) && /error/i.test(text)))
      expect(await page.locator('.filter output').textContent()).toBe(
        `${found.length} of ${all.length} rules`,
      )
      expect(await page.locator('#rules .group:visible').count()).toBeLessThan(20)
      await page.keyboard.press('Escape')
      expect(await shown()).toEqual(all)
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
      expect(await shown()).toEqual([expect.stringContaining('auth-valid-key')])
      await page.keyboard.press('Tab')
      await page.keyboard.type('cancel')
      await expect.poll(shown).toEqual([])
      for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
      await expect.poll(shown).toEqual(all)
    }))

  it('a click selects a whole command, and nothing else, to copy it', () =>
    opened('one failure', { viewport: desktop }, async page => {
      await page.locator('.exchange .command').first().click()
      expect(await page.evaluate('getSelection().toString()')).toBe('curl …')
    }))
})

it.each(['conformant', 'a hundred failures'])(
  'prints everything, on white, and links without JavaScript (%s)',
  name =>
    opened(name, { viewport: desktop, colorScheme: 'dark', javaScriptEnabled: false }, async page => {
      const link = page.locator('main a').last()
      const target = (await link.getAttribute('href')) ?? ''
      await link.click()
      expect(await page.locator(`[id="${target.slice(1)}"]`).isVisible()).toBe(true)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      for (const selector of ['#rules li', '.finding > .facts'])
        for (const each of await page.locator(selector).all())
          expect((await each.boundingBox())?.height).toBeGreaterThan(10)
      expect(await page.locator('.filter').isVisible()).toBe(false)
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      )
      expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(1_000)
    }),
)

it('the first screen of a phone says what failed, what was expected and what came', () =>
  opened('a hundred failures', { viewport: phone }, async page => {
    const first = page.locator('main li:has-text("expected")').first()
    const { y = 0, height = 0 } = (await first.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    expect(y + height).toBeLessThanOrEqual(phone.height)
    expect(await first.textContent()).toMatch(/auth-valid-key .*: expected 409, got 204/)
  }))
