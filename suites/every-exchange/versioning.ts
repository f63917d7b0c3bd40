import { header, observation } from '../../support/authoring/index.ts'
import { ordersListed } from '../list-orders/scenarios.ts'
import { deprecatedPet } from './scenarios.ts'

export const observations = [
  observation({
    id: 'base-url-version',
    clause: '9/prefix',
    operation: 'listOrders',
    title: 'Does the base address end in /v1?',
    given: ordersListed,
    saw: ({ list }) => (new URL(list.request.url).pathname.endsWith('/v1/store/orders') ? 'yes' : 'no'),
  }),
  observation({
    id: 'deprecated-pets',
    clause: '9/deprecated-pets',
    operation: 'listInventory',
    title:
      'How is GET /pets/{petId} answered, and does it have the headers Deprecation (RFC 9745) and Sunset (RFC 8594)?',
    given: deprecatedPet,
    saw({ answer: { response } }) {
      if (!response) return 'no response'
      const named = (name: string) => `${name} ${header(response, name) ?? 'absent'}`
      return `${response.status}, ${named('Deprecation')}, ${named('Sunset')}`
    },
  }),
]
