import { code, plain } from '../markdown.ts'
import { printable } from '../printable.ts'
import type { Difference, Side } from './compare.ts'
import { BROKE, conclusion, sections } from './sections.ts'

/** The comparison for a terminal. */
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

const sideText = ({ baseUrl, store, verdict, profile, startedAt, version }: Side): string =>
  printable(
    `${verdict} · ${store && `${store} at `}${baseUrl} · profile ${profile} · ${startedAt} · suite ${version}`,
  )

const icon = ({ regression, lost }: Difference): string => (regression ? '❌' : lost ? '⚠️' : '✅')

/** The comparison for a comment on a pull request. Everything except regressions is folded. */
export function diffMarkdown(difference: Difference): string {
  const parts = [
    `## ${icon(difference)} ${plain(conclusion(difference))}`,
    `| | verdict | store | profile | run | suite |\n|---|---|---|---|---|---|\n${sideRow('old', difference.old)}\n${sideRow('new', difference.new)}`,
    ...difference.notes.map(note => `> ${plain(note)}`),
    ...sections(difference).map(({ title, items }) => {
      const lines = items
        .map(({ id, text, detail }) => `- ${code(id)} ${plain(text)} (${plain(detail)})`)
        .join('\n')
      return title === BROKE
        ? `### ${title}\n\n${lines}`
        : `<details><summary>${title} (${items.length})</summary>\n\n${lines}\n\n</details>`
    }),
  ]
  return `${parts.join('\n\n')}\n`
}

const sideRow = (name: string, { verdict, baseUrl, store, profile, startedAt, version }: Side): string =>
  `| ${name} | ${verdict} | ${plain(store && `${store} at `)}${plain(baseUrl)} | ${plain(profile)} | ${startedAt} | ${plain(version)} |`

export const diffJson = (difference: Difference): string => `${JSON.stringify(difference, undefined, 2)}\n`
