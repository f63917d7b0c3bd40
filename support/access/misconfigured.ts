/** The states endpoint, the states module or a file of the run does not work as agreed. Exit 2. */
export class Misconfigured extends Error {
  override name = 'Misconfigured'
}
