import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** The rooms in the direction of the data. A file imports only from its own room and from earlier rooms. */
const ROOMS = [
  'support/interface',
  'support/wire',
  'support/reference',
  'suites',
  'support/settings',
  'support/target',
  'support/report',
  'support/run',
  'support/certificate',
  'support/embed',
  'support/selfcheck',
  'support/cli',
] as const

/** Imports that are forbidden although the order of the rooms allows them. */
const APART: readonly (readonly [why: string, from: RegExp, to: RegExp])[] = [
  [
    'only the composition root joins the reference store',
    /^support\/reference\//,
    /^support\/(settings|target)/,
  ],
  [
    'the oracle knows the interface, and nothing else',
    /^suites\/oracle\//,
    /^(?!suites\/oracle|support\/interface)/,
  ],
  ['only the composition root passes settings on', /^support\/target\//, /^support\/settings/],
  ['a report needs no store', /^support\/report\//, /^support\/target/],
]

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = ['suites', 'support']
  .flatMap(room =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map(file => join(room, file)),
  )
  .filter(file => /\.ts$/.test(file) && !/\.test\.ts$|\/testing\/|^support\/docs\//.test(file))

/** Every relative import: the importing and the imported file, as paths from the root. Imports of types count. */
const imports = files.flatMap(file => {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    ([, specifier = '']) => [file, join(dirname(file), specifier)] as const,
  )
})
const roomOf = (file: string): number => ROOMS.findIndex(room => file.startsWith(`${room}/`))

it('every file is in a room of the map', () => {
  expect(files.filter(file => roomOf(file) < 0)).toEqual([])
})

it('data goes one way through the rooms', () => {
  expect(imports.filter(([file, target]) => roomOf(target) > roomOf(file))).toEqual([])
})

it.each(APART)('%s', (_why, from, to) => {
  expect(imports.filter(([file, target]) => from.test(file) && to.test(target))).toEqual([])
})
