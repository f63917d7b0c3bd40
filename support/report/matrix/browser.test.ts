import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeService } from '../../interface/store-service.ts'
import { hostileBodies } from '../html/testing/exchanges.ts'
import { reportWith } from '../html/testing/reports.ts'
import { parseReport } from '../read.ts'
import { reportJson } from '../report.ts'
import { collate } from './collate.ts'
import { matrixHtml } from './page.ts'

const saved = (...wanted: Parameters<typeof reportWith>) =>
  parseReport(reportJson(reportWith(...wanted)), 'x')
const nasty = Object.values(hostileBodies)
const hostile = saved({ failed: 100 })
const page = matrixHtml(
  collate(
    [
      saved(),
      {
        ...hostile,
        rules: hostile.rules.map((rule, at) => ({ ...rule, message: nasty[at % nasty.length] ?? '' })),
        observations: nasty.map((saw, at) => ({ id: `${at}`, operation: 'x', title: saw, saw })),
      },
      saved({ untested: 60 }),
    ],
    storeService,
  ),
  storeService,
)

const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  writeFileSync(join(folder, 'matrix.html'), page)
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

test.each([
  [1280, 'light'],
  [390, 'dark'],
] as const)(
  'the matrix page fits, is accessible and loads nothing (%i px, %s)',
  async (width, colorScheme) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      bypassCSP: true,
    })
    const opened = await context.newPage()
    const said: string[] = []
    const asked: string[] = []
    opened.on('console', message => said.push(message.text()))
    opened.on('pageerror', error => said.push(error.message))
    opened.on('request', request => asked.push(request.url()))
    const address = pathToFileURL(join(folder, 'matrix.html')).href
    await opened.goto(address)
    expect({ said, asked }).toEqual({ said: [], asked: [address] })
    // Each table scrolls on its own, so that the page does not scroll sideways.
    expect(await opened.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)

    // No heading or verdict is cut off.
    expect(
      await opened.evaluate(`Array.from(document.querySelectorAll('.stores span, .rules thead th:first-child'))
      .filter(each => each.getBoundingClientRect().right > innerWidth).map(each => each.textContent)`),
    ).toEqual([])

    const rows = opened.locator('table.rules tbody tr:visible')
    const all = await rows.count()
    await opened.getByLabel('Only rules in which the stores differ').check()
    expect(await rows.count()).toBeLessThan(all)
    expect(await rows.count()).toBeGreaterThan(0)

    await opened.addScriptTag({
      content: await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    })
    const { violations } = (await opened.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)])).toEqual([])
    await context.close()
  },
)
