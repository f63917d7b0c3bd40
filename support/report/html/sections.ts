import { type ClauseId, clauses } from '../../interface/clauses.ts'
import { type Operation, operations } from '../../interface/operations.ts'

export interface Section {
  readonly number: string
  readonly title: string
  readonly operation?: Operation
  readonly clauses: readonly ClauseId[]
}

const titles: Readonly<Record<string, string>> = {
  '1': 'The service',
  '2': 'Resources',
  '3': 'States',
  '4': 'Endpoints',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
}

/** The document's sections, in its order, each with its clauses. */
export function sections(): Section[] {
  const numbers = [...new Set((Object.keys(clauses) as ClauseId[]).map(numberOf))]
  return numbers.sort(byNumber).map(number => {
    const operation = Object.values(operations).find(({ section }) => section === number)
    return {
      number,
      title: operation?.summary ?? titles[number] ?? '',
      ...(operation ? { operation } : {}),
      clauses: (Object.keys(clauses) as ClauseId[]).filter(clause => numberOf(clause) === number),
    }
  })
}

const numberOf = (clause: string): string => clause.split('/')[0] ?? ''

/** §4 itself comes after §4.4: it says what holds beside the operations. */
const byNumber = (a: string, b: string): number => weight(a) - weight(b)
const weight = (number: string): number => (number.includes('.') ? Number(number) : Number(number) + 0.9)
