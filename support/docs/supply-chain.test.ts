import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

it('the lock file has the integrity of every package, and no address', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>
  }
  const { '': _project, ...installed } = packages
  const without = Object.entries(installed).filter(
    ([, { integrity = '' }]) => !integrity.startsWith('sha512-'),
  )
  // npm never adds a missing integrity: remove package-lock.json and node_modules, and run npm install.
  expect(without.map(([path]) => path)).toEqual([])
  expect(Object.values(installed).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

it.each(['action.yml', '.github/workflows/release.yml', 'support/docs/ci.md'])(
  '%s names every action by its commit',
  path => {
    const used = [...read(path).matchAll(/\buses: .+/g)]
    expect(used.length).toBeGreaterThan(0)
    for (const [line] of used) expect(line).toMatch(/@([0-9a-f]{40}|COMMIT) # v\d+\.\d+\.\d+$/)
  },
)

it('only the job that publishes may publish, and it executes no dependency', () => {
  const { permissions, jobs } = parse(read('.github/workflows/release.yml'))
  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.pack).not.toHaveProperty('permissions')
  expect(jobs.publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' })
  const commands = jobs.publish.steps.flatMap(({ run = [] }) => run).join('\n')
  expect(commands).toContain('--ignore-scripts --provenance')
  expect(commands).not.toMatch(/npm (ci|install|run|pack)|npx/)
})

it('the package says nothing about a repository that it does not know, and requires provenance', () => {
  const { publishConfig, ...manifest } = JSON.parse(read('package.json'))
  expect(publishConfig).toEqual({ access: 'public', provenance: true })
  for (const name of ['repository', 'homepage', 'bugs']) expect(manifest).not.toHaveProperty(name)
})
