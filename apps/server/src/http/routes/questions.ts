import { createRoute, z } from "@hono/zod-openapi";
import { functionNames } from "@lethe/query";
import type { ServedQuestion } from "@lethe/serve";
import type { Context } from "hono";
import { followAnswer } from "../answers/follow.ts";
import { idempotencyKey } from "../answers/idempotency-key.ts";
import { mediaTypes, notAcceptable, pickFormat } from "../answers/negotiate.ts";
import { writeAnswer } from "../answers/write-answer.ts";
import type { App, AppParts } from "../app-parts.ts";
import { type QuestionBody, questionBody } from "../bodies/question-body.ts";
import { answerSchema, descriptionSchema, explanationSchema, tableSchema } from "../bodies/schemas.ts";
import type { Env } from "../env.ts";
import { access, admitted, answers, proofs, refusals, sent } from "./said.ts";

const question = {
  body: { required: true, content: { "application/json": { schema: questionBody } } },
} as const;

/** It is described and read here: a schema of headers would have each request's headers read, sorted and joined. */
const key = {
  name: "idempotency-key",
  in: "header",
  required: false,
  schema: { type: "string" },
  description:
    "The id of the request, of your own: sent again with it, a question is paid for once and answered by the same bytes.",
} as const;

const ask = createRoute({
  method: "post",
  path: "/v1/query",
  ...access("question.ask"),
  summary: "Ask a question, and pay for its answer",
  description:
    "An earlier answer to the same question of the same data is given again for nothing. A client that stops waiting loses nothing: the answer is kept, and asking again is free.",
  security: proofs,
  request: question,
  parameters: [key],
  responses: {
    200: {
      description: "The answer.",
      content: {
        [mediaTypes.json]: { schema: answerSchema },
        [mediaTypes.csv]: { schema: z.string() },
        [mediaTypes.arrow]: { schema: z.string().openapi({ format: "binary" }) },
        [mediaTypes.events]: { schema: z.string() },
      },
    },
    ...refusals,
  },
});

const explain = createRoute({
  method: "post",
  path: "/v1/explain",
  ...access("question.explain"),
  summary: "See a question's plan, price and expected error, for nothing",
  security: proofs,
  request: question,
  responses: { 200: answers(explanationSchema, "The plan."), ...refusals },
});

const describe = createRoute({
  method: "post",
  path: "/v1/describe",
  ...access("tables.describe"),
  summary: "See the columns of a question's answer and the types of its parameters, for nothing",
  security: proofs,
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: z.strictObject({ sql: z.string().min(1) }) } },
    },
  },
  responses: { 200: answers(descriptionSchema, "The question's form."), ...refusals },
});

const tablesOffered = z.object({
  items: z.array(tableSchema),
  functions: z
    .array(z.string())
    .openapi({ description: "The functions and aggregates that a question may call." }),
});

const tables = createRoute({
  method: "get",
  path: "/v1/tables",
  ...access("tables.list"),
  summary: "See what the policy lets one ask",
  security: proofs,
  responses: { 200: answers(tablesOffered, "Tables, views and functions."), ...refusals },
});

/** Adds the routes of questions: asking, explaining, describing, and what there is to ask. */
export function addQuestionRoutes(
  app: App,
  { service, admission }: Pick<AppParts, "service" | "admission">,
): void {
  app.openapi(ask, async (context) => {
    const who = await admitted(context, admission, "ask");
    const format = pickFormat(context.req.header("accept"));
    if (format === null) throw notAcceptable();
    const asked = askedOf(context, context.req.valid("json"));
    const waiting = {
      // A signal is made where somebody has to wait, which a repeat does not.
      get signal(): AbortSignal {
        return context.req.raw.signal;
      },
    };
    const asking = (): ReturnType<typeof service.ask> => service.ask(who, asked, waiting);
    if (format === "events")
      return followAnswer(context, asked.sql, () => service.explain(who, asked), asking);
    return writeAnswer(await asking(), format);
  });
  app.openapi(explain, async (context) => {
    const who = await admitted(context, admission, "explain");
    return sent(await service.explain(who, askedOf(context, context.req.valid("json"))));
  });
  app.openapi(describe, async (context) => {
    const who = await admitted(context, admission, "explain");
    const { sql } = context.req.valid("json");
    context.set("question", sql);
    return sent(await service.describe(who, sql));
  });
  app.openapi(tables, async (context) => {
    const who = await admitted(context, admission, "read");
    return sent({ items: await service.tables(who), functions: functionNames() });
  });
}

/** A question with the id of its request. Its text is kept beside, for the place of an error. */
function askedOf(context: Context<Env>, body: QuestionBody): ServedQuestion {
  context.set("question", body.sql);
  const { sql, ...stated } = body;
  const options = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
  return { sql, ...options, requestId: idempotencyKey(context.req.header("idempotency-key")) };
}
