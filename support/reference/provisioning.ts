import type { Provisioning } from './decisions.ts'

export const provisioning: Provisioning = {
  open: () => {},
  newOrderId: n => 10_000n + BigInt(n),
  newPetId: n => String(500 + n),
}
