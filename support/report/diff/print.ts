import { code, plain } from '../markdown.ts'
import { printable } from '../text/printable.ts'
import type { Difference, Side } from './compare.ts'
import { conclusion, sections } from './sections.ts'

/** The comparison for a terminal. Nothing in it can steer one. */
export function diffText(difference: Difference): string {
  const parts = [
    [`old  ${sideText(difference.old)}`, `new  ${sideText(difference.new)}`].join('\n'),
    difference.notes.map(note => `! ${printable(note)}`).join('\n'),
    ...sections(difference).map(({ title, mark, items }) =>
      [
        `${title} (${items.length}):`,
        ...items.map(
          ({ id, text, detail }) =>
            `  ${mark} ${printable(id)}  ${printable(text)}\n      ${printable(detail)}`,
        ),
      ].join('\n'),
    ),
    conclusion(difference),
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

const sideText = ({ baseUrl, verdict, profile, startedAt, version }: Side): string =>
  printable(`${verdict} · ${baseUrl} · profile ${profile} · ${startedAt} · suite ${version}`)

const icon = ({ regression, lost }: Difference): string => (regression ? '❌' : lost ? '⚠️' : '✅')

/** The same for a comment on a pull request: what broke is open, the rest folds. */
export function diffMarkdown(difference: Difference): string {
  const parts = [
    `## ${icon(difference)} ${plain(conclusion(difference))}`,
    `| | verdict | store | profile | run | suite |\n|---|---|---|---|---|---|\n${sideRow('old', difference.old)}\n${sideRow('new', difference.new)}`,
    ...difference.notes.map(note => `> ${plain(note)}`),
    ...sections(difference).map(({ title, items }) => {
      const lines = items
        .map(({ id, text, detail }) => `- ${code(id)} ${plain(text)} (${plain(detail)})`)
        .join('\n')
      return title === 'Broke'
        ? `### ${title}\n\n${lines}`
        : `<details><summary>${title} (${items.length})</summary>\n\n${lines}\n\n</details>`
    }),
  ]
  return `${parts.join('\n\n')}\n`
}

const sideRow = (name: string, { verdict, baseUrl, profile, startedAt, version }: Side): string =>
  `| ${name} | ${verdict} | ${plain(baseUrl)} | ${plain(profile)} | ${startedAt} | ${plain(version)} |`

export const diffJson = (difference: Difference): string => `${JSON.stringify(difference, undefined, 2)}\n`
