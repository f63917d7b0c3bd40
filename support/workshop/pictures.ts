import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { judge } from '../embed/index.ts'
import { referenceStore, serve } from '../reference/index.ts'
import { packageRoot } from '../report/package-root.ts'
import { writeReports } from '../report/write.ts'
import { faults } from '../run/faults.ts'

/**
 * Development tool: draws the picture of a report for the README, from a real run, in Chromium (CHROMIUM_PATH).
 *
 *     npm run pictures
 */
const pictures = fileURLToPath(new URL('support/docs/pictures/', packageRoot))
const folder = mkdtempSync(join(tmpdir(), 'store-conformance-pictures-'))
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  await judgeClamping()
  await draw('conformance.html', 'report.png')
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

/** A store that clamps quantities at 255. */
async function judgeClamping(): Promise<void> {
  const overrides = faults
    .filter(({ id }) => id === 'quantity-clamped-at-255')
    .map(({ override }) => override)
  const store = referenceStore({ overrides })
  const { baseUrl, statesUrl, close } = await serve(store)
  try {
    const [revokedApiKey = ''] = store.revokedKeys
    const report = await judge({ baseUrl, statesUrl, apiKey: store.apiKey, revokedApiKey, seed: 42 })
    writeReports(report, folder)
  } finally {
    await close()
  }
}

async function draw(page: string, picture: string): Promise<void> {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 1100 }, colorScheme: 'light' })
  await tab.goto(pathToFileURL(join(folder, page)).href)
  await tab.screenshot({ path: join(pictures, picture) })
  await tab.close()
}
