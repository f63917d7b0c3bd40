import { getHeapStatistics } from 'node:v8'
import type { RecordedResponse } from '../http/exchange.ts'

/** A smaller body is not worth a comparison. */
const LARGE = 64 * 1024
/** In bytes. The rest of the memory is for parsed bodies and for the reports. */
const roomHere = (): number => getHeapStatistics().heap_size_limit * 0.4

/** V8 takes two bytes for each character of a text that has a character beyond Latin-1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of Latin-1
const sizeOf = (text: string): number => (/[^\x00-\xff]/.test(text) ? text.length * 2 : text.length)

/**
 * Rules look at bodies long after they came, so all of them are held. Large ones that are equal are held once.
 * @returns the response to hold, or undefined if there is no room for it
 */
export function bodyKeeper(
  room: number = roomHere(),
): (response: RecordedResponse) => RecordedResponse | undefined {
  const held = new Map<number, string[]>()
  let left = room
  const hold = (text: string): string | undefined => {
    if (text.length < LARGE) return text
    const alike = held.get(text.length) ?? []
    const known = alike.find(each => each === text)
    if (known !== undefined) return known
    const size = sizeOf(text)
    if (size > left) return undefined
    left -= size
    held.set(text.length, [...alike, text])
    return text
  }
  return response => {
    const body = hold(response.body)
    const bytes = response.bodyBase64 === undefined ? '' : hold(response.bodyBase64)
    if (body === undefined || bytes === undefined) return undefined
    return { ...response, body, ...(bytes === '' ? {} : { bodyBase64: bytes }) }
  }
}
