import { header, observation } from '../../support/authoring/index.ts'
import { versioned } from './scenarios.ts'

export const observations = [
  observation({
    id: 'base-url-version',
    clause: '9/prefix',
    operation: 'listOrders',
    title: 'Does the base address end in /v1?',
    given: versioned,
    saw: ({ orders }) => (new URL(orders.request.url).pathname.endsWith('/v1/store/orders') ? 'yes' : 'no'),
  }),
  observation({
    id: 'deprecated-pets',
    clause: '9/deprecated-pets',
    operation: 'listInventory',
    title:
      'How is GET /pets/{petId} answered, and does it have the headers Deprecation (RFC 9745) and Sunset (RFC 8594)?',
    given: versioned,
    saw({ pet: { response } }) {
      if (!response) return 'no response'
      const named = (name: string) => `${name} ${header(response, name) ?? 'absent'}`
      return `${response.status}, ${named('Deprecation')}, ${named('Sunset')}`
    },
  }),
]
