import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run report [folder]`: makes allure-report from allure-results, both in the reports folder. */
const folder = process.argv[2] ?? 'reports'
const results = join(folder, 'allure-results')
const report = join(folder, 'allure-report')
if (!existsSync(results)) {
  process.stderr.write(`${results} does not exist. Run npm run conformance first.\n`)
  process.exit(2)
}
// Allure would keep files of an earlier report.
rmSync(report, { recursive: true, force: true })
const allure = fileURLToPath(new URL('../cli.js', import.meta.resolve('allure')))
const config = fileURLToPath(new URL('./allurerc.mjs', import.meta.url))
// The paths of the configuration are relative to the working directory.
const { status } = spawnSync(process.execPath, [allure, 'generate', '--config', config, 'allure-results'], {
  cwd: folder,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

// Allure's page loads an analytics script, and no setting turns it off. Opening a report must not send anything.
const path = join(report, 'index.html')
const page = readFileSync(path, 'utf8')
writeFileSync(path, page.replace(/<script[^>]*\ssrc="https?:\/\/[^"]*"[^>]*><\/script>/g, ''))
process.stdout.write(`${path}\n`)
