import { css } from './css.ts'

/** Colours by what they mean. Each stands on `paper` with 4.5:1 as text, with 3:1 as a mark. */
export const tokens = css`
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
