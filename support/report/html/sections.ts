import type { InterfaceDescription, OperationDescription } from '../../interface/description.ts'

export interface Section {
  readonly number: string
  readonly title: string
  readonly operation?: OperationDescription
  /** Ids of the clauses. */
  readonly clauses: readonly string[]
}

/** The document's sections in order, each with its clauses. */
export function sections({ clauses, operations, sections: titles }: InterfaceDescription): Section[] {
  const ids = Object.keys(clauses)
  const numbers = [...new Set(ids.map(numberOf))]
  return numbers.sort(byNumber).map(number => {
    const operation = Object.values(operations).find(({ section }) => section === number)
    return {
      number,
      title: operation?.summary ?? titles[number] ?? '',
      ...(operation ? { operation } : {}),
      clauses: ids.filter(clause => numberOf(clause) === number),
    }
  })
}

const numberOf = (clause: string): string => clause.split('/')[0] ?? ''

/** §4 itself comes after §4.4: it says what holds beside the operations. */
const byNumber = (a: string, b: string): number => weight(a) - weight(b)
const weight = (number: string): number => (number.includes('.') ? Number(number) : Number(number) + 0.9)
