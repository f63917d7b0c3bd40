import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { config } from 'dotenv'

/** `npm run report [filters]`: runs the suites in Vitest, makes the Allure report of the results, and opens it at a terminal. */
config({ quiet: true })
const folder = process.env.STORE_REPORTS_DIR || 'reports'
const at = path => fileURLToPath(new URL(path, import.meta.url))
const run = (args, cwd = '.') => spawnSync(process.execPath, args, { cwd, stdio: 'inherit' }).status ?? 1

const results = join(folder, 'allure-results')
rmSync(results, { recursive: true, force: true })
const vitest = at('../../../node_modules/vitest/vitest.mjs')
const code = run([
  vitest,
  'run',
  '--root',
  at('../../..'),
  '--project',
  'conformance',
  ...process.argv.slice(2),
])
// Nothing was judged.
if (!existsSync(results)) process.exit(code)

// Allure would keep files of an earlier report.
const report = join(folder, 'allure-report')
rmSync(report, { recursive: true, force: true })
const allure = fileURLToPath(new URL('../cli.js', import.meta.resolve('allure')))
// The paths of the configuration are relative to the working directory.
const made = run([allure, 'generate', '--config', at('./allurerc.mjs'), 'allure-results'], folder)
if (made !== 0) process.exit(made)

// Allure's page loads an analytics script, and no setting turns it off. Opening a report must not send anything.
const path = join(report, 'index.html')
const page = readFileSync(path, 'utf8')
writeFileSync(path, page.replace(/<script[^>]*\ssrc="https?:\/\/[^"]*"[^>]*><\/script>/g, ''))
process.stdout.write(`${path}\n`)
if (process.stdout.isTTY && !process.env.CI) {
  const openers = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }
  const [opener, ...before] = openers[process.platform] ?? ['xdg-open']
  const opening = spawn(opener, [...before, path], { detached: true, stdio: 'ignore' })
  // A machine without a browser has the path.
  opening.on('error', () => undefined).unref()
}
process.exitCode = code
