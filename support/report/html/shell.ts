import { createHash } from 'node:crypto'
import { type Content, html, shapeSheet, verbatim } from './markup.ts'
import { style } from './style.ts'

interface Page {
  readonly title: string
  readonly body: Content
  /** Source of the only script of the page. */
  readonly script?: string
}

const digest = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/**
 * A page as one file. The browser executes only the style and script of the page, and loads nothing, even if text of a store contains
 * markup.
 */
export function pageOf({ title, body, script }: Page): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${digest(style)}`,
    ...(script === undefined ? [] : [`script-src ${digest(script)}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
${shapeSheet}
${body}
${script !== undefined && html`<script>${verbatim(script)}</script>`}
</body>
</html>
`.toString()
}
