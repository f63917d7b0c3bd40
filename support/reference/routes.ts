import { operations } from '../interface/operations.ts'
import type { ServedOperation } from './decisions.ts'
import { methodWrong, pathUnknown, type Refusal } from './refusal.ts'

const ROUTES: Readonly<Record<ServedOperation, { readonly method: string; readonly path: string }>> = {
  ...operations,
  getPet: { method: 'GET', path: '/pets/{petId}' },
}

/** The operation of each method, by the pattern of the path. */
const PATHS = new Map<string, Record<string, ServedOperation>>()
for (const [operation, { method, path }] of Object.entries(ROUTES)) {
  const pattern = `^/v1${path.replace(/\{\w+\}/, '[^/]+')}$`
  PATHS.set(pattern, { ...PATHS.get(pattern), [method]: operation as ServedOperation })
}

const patterns = [...PATHS].map(([pattern, methods]) => ({
  pattern: new RegExp(pattern),
  methods,
  allowed: Object.keys(methods).flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
}))

/** The path, with escapes decoded that do not change its segments (RFC 3986 §6.2.2.2). */
const normalized = (pathname: string): string => {
  if (!pathname.includes('%')) return pathname
  try {
    return decodeURI(pathname.replaceAll('%25', '%2525'))
  } catch {
    return pathname
  }
}

/** The operation with this method and path. An unknown path or method is refused without a key as well. */
export const operationAt = (method: string, pathname: string): ServedOperation | Refusal => {
  const path = normalized(pathname)
  const found = patterns.find(({ pattern }) => pattern.test(path))
  if (!found) return pathUnknown()
  // A HEAD is a GET without the response body (RFC 9110 §9.3.2).
  return found.methods[method === 'HEAD' ? 'GET' : method] ?? methodWrong(found.allowed)
}
