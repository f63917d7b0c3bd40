import type { OperationId } from './operations.ts'

/** A named, frozen set of rules: the same store gets the same verdict from every later version of the suite. */
export interface Profile {
  readonly name: ProfileName
  readonly title: string
  /** Rules that came later than this profile are not in it. */
  readonly interfaceVersion: '1.0.0'
  readonly without: readonly OperationId[]
}

export type ProfileName = '1.0.0' | '1.0.0-stable'

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  '1.0.0': { name: '1.0.0', title: 'the whole interface', interfaceVersion: '1.0.0', without: [] },
  '1.0.0-stable': {
    name: '1.0.0-stable',
    title: 'without the experimental operation (§9)',
    interfaceVersion: '1.0.0',
    without: ['updateInventory'],
  },
}

export const profileNames = Object.keys(profiles) as ProfileName[]
