import type { Provisioning } from './decisions.ts'
import { addOrder, type Domain } from './domain.ts'

/** The newest pets. Orders are for existing pets. */
const petsToOrder = ({ stock }: Domain): readonly bigint[] =>
  [...stock.values()]
    .slice(-PETS_ORDERED)
    .flatMap(({ petId }) => (/^-?[0-9]{1,18}$/.test(petId) ? [BigInt(petId)] : []))

const PETS_ORDERED = 12

export const provisioning: Provisioning = {
  open: () => {},
  newOrderId: n => 10_000n + BigInt(n),
  newPetId: n => String(500 + n),
  petToOrder(n, domain) {
    const pets = petsToOrder(domain)
    return pets[n % pets.length] ?? 2000n
  },
  placeOrder: (order, domain) => void addOrder(domain, order),
}
