/** Marks style sheets for editors. */
export const css = String.raw

/** Colours by meaning. Each has a contrast of 4.5:1 on `paper` as text, and of 3:1 as a mark. */
const tokens = css`
:root {
  color-scheme: light;
  --paper: #fdfcfa;
  --sheet: #f6f3ee;
  --ink: #1d1c1a;
  --soft: #625d56;
  --line: #e2ddd5;
  --edge: #8f897f;
  --link: #1d4f91;
  --failed: #b3261e;
  --failed-tint: #fbeeec;
  --cant-tell: #8a5a00;
  --untested: #4b6085;
  --inapplicable: #847e75;
  --passed: #2f7d5c;
  --passed-tint: #edf5f0;
  --serif: "Iowan Old Style", Charter, "Bitstream Charter", "Palatino Linotype", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --paper: #151514;
    --sheet: #1f1e1c;
    --ink: #e8e5df;
    --soft: #a9a39a;
    --line: #34322e;
    --edge: #77726a;
    --link: #9cc0f5;
    --failed: #ff7d6e;
    --failed-tint: #2d1c1a;
    --cant-tell: #e2ad52;
    --untested: #9db2da;
    --inapplicable: #8c867d;
    --passed: #5db78e;
    --passed-tint: #18251f;
  }
}
`

/** What all pages share. */
export const base = css`
${tokens}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 74rem; padding: 0 2rem;
  background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.55 var(--sans); overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, pre, table { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.25; text-wrap: balance; }
h2 { font-size: 1.625rem; letter-spacing: -0.01em; }
h3 { font-size: 1.1875rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus, .filter:focus { outline: none; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; }
small, .note { font-size: 0.8125rem; color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; }
th, td { vertical-align: top; }
summary { cursor: pointer; }
summary::marker { color: var(--soft); }
button, input, select { font: inherit; color: inherit; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; left: -100vw; top: 0; z-index: 3; padding: 0.5rem 1rem; background: var(--paper); }
.skip:focus { left: 0.5rem; }
#map > .skip:focus { position: static; display: inline-block; margin-bottom: 0.5rem; }
.sheet { position: absolute; }
.mark { width: 1.25rem; height: 1.25rem; flex: none; fill: currentColor; stroke: none; vertical-align: -0.28em; }
.mark.failed { color: var(--failed); }
.mark.cantTell { color: var(--cant-tell); }
.mark.untested { color: var(--untested); }
.mark.advice, .mark.expected, .mark.newer, .mark.inapplicable { color: var(--inapplicable); }
.mark.passed { color: var(--passed); }
symbol .line { fill: none; stroke: currentColor; stroke-width: 2.25; }
symbol .cross { fill: none; stroke: var(--paper); stroke-width: 2.5; }
main > section { padding: 3.25rem 0 0; }
.title { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1rem; padding-bottom: 1rem; }
.title p { color: var(--soft); }
:target { scroll-margin-top: 5rem; }
footer { margin: 4rem 0 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.8125rem; }
nav { border-block: 1px solid var(--line); padding: 0.375rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.75rem; }
nav a { display: inline-block; padding: 0.2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
.count { display: inline-block; min-width: 1.5em; padding: 0 0.4em; border-radius: 1em; background: var(--sheet); color: var(--soft); font-size: 0.8125rem; text-align: center; }
.escape { padding: 0 0.15em; border-radius: 2px; background: var(--sheet); color: var(--cant-tell); box-shadow: inset 0 0 0 1px var(--line); }
.cut { color: var(--soft); font-style: italic; }
@media screen and (width < 48rem) {
  body { padding: 0 1rem; }
  h2 { font-size: 1.375rem; }
  main > section { padding-top: 2.25rem; }
  nav ul { gap: 0.25rem 1.125rem; }
}
`
