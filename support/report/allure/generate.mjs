import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run report [folder]`: makes allure-report from the allure-results in the folder of reports. */
const folder = process.argv[2] ?? 'reports'
const results = join(folder, 'allure-results')
const report = join(folder, 'allure-report')
if (!existsSync(results)) {
  process.stderr.write(`There are no ${results}. Run npm run conformance first.\n`)
  process.exit(2)
}
// Allure writes beside what an earlier run left.
rmSync(report, { recursive: true, force: true })
const allure = fileURLToPath(new URL('../cli.js', import.meta.resolve('allure')))
const config = fileURLToPath(new URL('./allurerc.mjs', import.meta.url))
// Called in the folder, to which the paths of the configuration are relative.
const { status } = spawnSync(process.execPath, [allure, 'generate', '--config', config, 'allure-results'], {
  cwd: folder,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

// Its page tells Google that it is opened, and has no setting against it. A report about somebody's store tells nobody.
const path = join(report, 'index.html')
const page = readFileSync(path, 'utf8')
writeFileSync(path, page.replace(/<script[^>]*\ssrc="https?:\/\/[^"]*"[^>]*><\/script>/g, ''))
process.stdout.write(`${path}\n`)
