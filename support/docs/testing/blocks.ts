import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtCommand, project, spawned } from '../../cli/testing/bench.ts'
import { newFolder, writeFiles } from '../../wire/testing/folder.ts'

const folder = new URL('../', import.meta.url)

/** A fenced block. The words after its language say how it is tested: `file=`, `into=`, `exit=`, `try` or `norun`. */
export type CodeBlock = ReturnType<typeof blocksOf>[number]

export const docs: readonly string[] = readdirSync(folder).filter(name => name.endsWith('.md'))

export const textOf = (doc: string): string => readFileSync(new URL(doc, folder), 'utf8')

const FENCED = /^(?<indent> *)```(?<language>\S*)(?<words>.*)\n(?<lines>[\s\S]*?)^ *```$/gm

export function blocksOf(doc: string) {
  const page = textOf(doc)
  return [...page.matchAll(FENCED)].map(({ index, groups = {} }) => {
    const { indent = '', language = '', words = '', lines = '' } = groups
    const notes = words.trim().split(' ')
    const note = (name: string) => notes.find(each => each.startsWith(`${name}=`))?.slice(name.length + 1)
    return {
      doc,
      line: page.slice(0, index).split('\n').length,
      language,
      text: lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      file: note('file'),
      /** The file that gets it as an entry of its exported list. */
      into: note('into'),
      notes,
      exit: Number(note('exit') ?? 0),
      run: !notes.includes('norun') && !notes.includes('try'),
    }
  })
}

export function blockCalled(doc: string, file: string): string {
  const found = blocksOf(doc).find(block => block.file === file)
  if (!found) throw new Error(`${doc} has no block with file=${file}`)
  return found.text
}

/** Installs the package in a folder, with Vitest, which snippets import. */
export async function install() {
  const folder = newFolder()
  const write = (files: Readonly<Record<string, string>>) => writeFiles(folder, files)
  write({ 'package.json': JSON.stringify({ type: 'module' }), 'node_modules/.bin/README': '' })
  symlinkSync(join(project, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  symlinkSync(project, join(folder, 'node_modules/store-conformance'))
  const command = join(folder, 'node_modules/.bin/store-conformance')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${builtCommand}" "$@"\n`, { mode: 0o755 })
  const own = { PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`, NO_COLOR: '1' }
  return {
    write,
    run: (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      spawned(program, args, { folder, env: { ...own, ...env } }),
  }
}
