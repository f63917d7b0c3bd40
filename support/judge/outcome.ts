/** The user can correct it: the usage, a file, the states endpoint or the states module. There is no verdict: exit 2. */
export class Misconfigured extends Error {
  override name = 'Misconfigured'
}
