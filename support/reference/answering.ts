import type { Answer, AnswerHeader } from './answer.ts'
import type { Answering, Context } from './decisions.ts'

export const jsonAnswer = (
  status: number,
  json: string,
  ctx: Context,
  headers: readonly AnswerHeader[] = [],
): Answer => ({
  status,
  headers: [...ctx.decide.headers(status, ctx), ...headers],
  body: ctx.decide.encode(json, ctx),
})

export const answering: Answering = {
  // The Error shape is stated for 401 and 404 (§7); the others have it too, because clients handle one shape more easily.
  refuse: (refusal, ctx) =>
    jsonAnswer(
      refusal.status,
      ctx.decide.renderObject(ctx.decide.errorMembers(refusal, ctx), ctx),
      ctx,
      refusal.headers,
    ),
  headers: () => [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  finish: answer => answer,
  deliver: (answer, wire) => wire.send(answer),
}
