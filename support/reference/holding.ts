import type { Holding } from './decisions.ts'

export const holding: Holding = {
  open: () => {},
  newOrderId: n => 10_000n + BigInt(n),
  newPetId: n => String(500 + n),
}
