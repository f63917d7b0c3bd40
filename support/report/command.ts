import { shellWord } from '../http/curl.ts'
import type { Report, ReportedRule } from './report.ts'

/** What to type to judge this one rule of the same store again, with the same generated values. */
export const commandFor = (report: Report, { id }: Pick<ReportedRule, 'id'>): string =>
  `${report.command ?? plainCommand(report)} --only ${id} --seed ${report.seed}`

/** Of a run that no command started. With no address it would judge the reference store, whatever was judged. */
const plainCommand = ({ target }: Report): string =>
  target.reference
    ? 'npx store-conformance run'
    : `npx store-conformance run --base-url ${shellWord(target.baseUrl)}`
