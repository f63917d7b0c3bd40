import type { Header } from '../../support/interface/description.ts'
import type { OperationId } from '../../support/interface/operations.ts'

/** What the path of a request names. */
export type Named =
  | 'nothing'
  | 'pending order'
  | 'cancelled order'
  | 'shipped order'
  /** An int64 that no order has. */
  | 'unknown order'
  /** An int64 that no order has, and that equals the id of an order in part. */
  | 'similar order id'
  /** A path segment that is no int64. */
  | 'no order id'
  | 'pet'
  | 'unknown pet'
  | 'similar pet id'
  | 'no pet id'

/** How a store may treat the body of an update. */
export type BodyKind =
  /** It replaces the stock. */
  | 'ordinary'
  /** It replaces the stock exactly, or is refused with 400 and changes nothing. */
  | 'refusable'
  /** It is refused with 400 and changes nothing. */
  | 'invalid'
  /** It changes nothing, whether it is refused or not. */
  | 'empty'
  /** It is JSON to lenient parsers only: a store may read it, or refuse it with 400. */
  | 'lenient'

/** A request as data, with what the document determines of its answer and its effect. */
export interface Ask {
  readonly operation: OperationId
  readonly named: Named
  /** The path segment, spelled as it is sent. Empty where nothing is named. */
  readonly id: string
  /** The row of a table that it comes from: a wrong key, an invalid body, a form. Rules name rows. */
  readonly row?: string | undefined
  /** The request in words: "cancelOrder of a pending order with the key in another case". */
  readonly title: string
  /**
   * Without a valid key. `4xx`: it may be refused before the key is read. `open`: it may be accepted like one with the key.
   * `unlisted`: any answer that does not show the list.
   */
  readonly refused?: 401 | '4xx' | 'open' | 'unlisted' | undefined
  readonly body?: { readonly kind: BodyKind; readonly quantity?: string | undefined } | undefined
  /** Of the form that it is written in, in words, what differs from that of most clients. */
  readonly form?: readonly string[] | undefined
  /** Statuses that are advised. Others are allowed as well. */
  readonly advised?: readonly number[] | undefined
  /** Statuses with which a server may decline the form of the request. */
  readonly declined?: readonly number[] | undefined
  /** The order or pet of the run that a faulty store could take it for. */
  readonly of?: string | undefined
  /** It asks for a method that the document does not describe: any answer, but no effect. */
  readonly undescribed?: true | undefined
}

/** The circumstances in which an ask is sent. */
export const contexts = ['plain', 'after', 'beside', 'form', 'data', 'history', 'end', 'size'] as const
export type Context = (typeof contexts)[number]

/** One request, and its response, or why there was none. */
export interface Exchange {
  /** Position in the log. */
  readonly at: number
  readonly ask: Ask
  readonly context: Context
  /** Its connection, where several requests use one. */
  readonly connection?: number | undefined
  /** Times on one clock. An exchange that ended before another began came before it. */
  readonly begun: number
  readonly ended: number
  /** The exchange whose ask is sent again here, alone, because its answer was a violation. */
  readonly again?: number | undefined
  /** Of the attempts to get an answer, from 1. */
  readonly attempt: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly Header[]
    readonly body?: string | undefined
  }
  readonly response?:
    | { readonly status: number; readonly headers: readonly Header[]; readonly body: string }
    | undefined
  /** Why there is no response. `dropped`: the connection was closed; `malformed`: the bytes are not HTTP. Others are not the store's. */
  readonly problem?: { readonly kind: string; readonly message: string } | undefined
  /** Whether bytes came after a response that has no body. */
  readonly stray?: true | undefined
  /** The response holds the API key. */
  readonly echo?: true | undefined
}

export const isSuccess = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

/** An order or a pet that the run may use. */
export interface Fixture {
  readonly resource: 'order' | 'pet'
  /** As the provider or the user spells it. */
  readonly id: string
  readonly state?: 'pending' | 'shipped' | undefined
  readonly origin: 'arranged' | 'named'
  /** When it was known to exist. */
  readonly since: number
}

/** An ask that could not be sent. */
export interface Unsent {
  readonly ask: Pick<Ask, 'operation' | 'named' | 'row' | 'title' | 'refused'>
  readonly context: Context
  readonly reason: string
  /** What the user can provide, as an instruction. */
  readonly need?: string | undefined
  /** Rules about it do not apply to this run. */
  readonly isInapplicable?: true
}

/** Everything that a run did, in order. Plain data: it is what is judged, live, from a certificate and in a test. */
export interface Log {
  readonly exchanges: readonly Exchange[]
  readonly fixtures: readonly Fixture[]
  readonly unsent: readonly Unsent[]
  /** Why the run was stopped before its end. */
  readonly stopped?: string | undefined
  /** Why nothing can be judged. */
  readonly unreachable?: { readonly cause: string; readonly advice: string } | undefined
}

/** What is judged of one exchange, in this order: once one aspect fails, the later ones say nothing. */
export type Aspect =
  | 'answered'
  | 'status'
  | 'body'
  | 'type'
  | 'json'
  | 'shape'
  | 'fields'
  | 'effect'
  | 'advice'

/** One thing that the document determines, compared with one exchange. */
export interface Check {
  /** The exchange that the rule is about: of an effect, the request that has it. */
  readonly exchange: Exchange
  readonly aspect: Aspect
  /** The member of a body, the header, or what an effect concerns. */
  readonly about: string
  /** The order or pet that an effect concerns. */
  readonly object?: string | undefined
  readonly problem?: Problem | undefined
}

export interface Problem {
  readonly expected: string
  readonly got: string
  /** The exchanges that show it, in order. */
  readonly shown: readonly Exchange[]
  /** Other requests that may have had this effect, most likely first. */
  readonly suspects?: readonly Exchange[] | undefined
}

/** Something that no conformant store could have done. */
export type Violation = Check & { readonly problem: Problem }

export const isViolation = (check: Check): check is Violation => check.problem !== undefined
