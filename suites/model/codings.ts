import { header, type Rule, rule, Violation } from '../../support/authoring/index.ts'
import { operationIds, operations } from '../../support/interface/operations.ts'
import { inAnyForm } from './scenarios.ts'

export const rules: readonly Rule[] = operationIds.map(id =>
  rule({
    id: `coding-accepted-${operations[id].slug}`,
    operation: id,
    level: 'advisory',
    because:
      'The document is silent. RFC 9110 §12.5.3 asks for no coding that Accept-Encoding does not name.',
    clause: '1/json',
    title: `${operations[id].method} ${operations[id].path} uses only a content coding that Accept-Encoding names`,
    given: inAnyForm,
    expect({ histories }) {
      for (const { exchange } of histories.flatMap(({ events }) => events)) {
        if (exchange.operation !== id || !exchange.response) continue
        const allowed = header(exchange.request, 'accept-encoding')
        const coding = header(exchange.response, 'content-encoding')
        if (allowed && !allowed.includes('*') && coding && coding !== 'identity' && !allowed.includes(coding))
          throw new Violation(`no Content-Encoding except ${allowed}`, coding, exchange)
      }
    },
  }),
)
