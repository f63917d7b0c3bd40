import { base } from './base.ts'
import { evidence } from './evidence.ts'
import { filter } from './filter.ts'
import { findings } from './findings.ts'
import { ledger } from './ledger.ts'
import { map } from './map.ts'
import { masthead } from './masthead.ts'
import { print } from './print.ts'
import { tokens } from './tokens.ts'

/** The style sheet of the page. Printing comes last: it takes things back. */
export const style: string = [tokens, base, masthead, map, filter, findings, evidence, ledger, print].join('')
