import { createRoute, z } from "@hono/zod-openapi";
import type { App, AppParts } from "../app-parts.ts";
import {
  auditPage,
  chargePage,
  ledgerPage,
  policyCheckSchema,
  policySchema,
} from "../bodies/record-schemas.ts";
import { access, admitted, answers, pageAsked, proofs, refusals, sent } from "./said.ts";

interface PolicyText {
  readonly text: string;
}

const policyText: z.ZodType<PolicyText> = z
  .strictObject({ text: z.string().min(1).openapi({ description: "The policy's file, as YAML." }) })
  .openapi("PolicyText");

const policy = createRoute({
  method: "get",
  path: "/v1/policy",
  ...access("policy.read"),
  summary: "See the policy that is served, and advice on it",
  security: proofs,
  responses: { 200: answers(policySchema, "The policy."), ...refusals },
});

const check = createRoute({
  method: "post",
  path: "/v1/policy/check",
  ...access("policy.change"),
  summary: "See what another policy would change, and change nothing",
  security: proofs,
  request: { body: { required: true, content: { "application/json": { schema: policyText } } } },
  responses: { 200: answers(policyCheckSchema, "What would change."), ...refusals },
});

interface PolicyAgreed extends PolicyText {
  readonly agreed: readonly string[];
  readonly reason: string;
}

const policyAgreed: z.ZodType<PolicyAgreed> = z
  .strictObject({
    text: z.string().min(1),
    agreed: z
      .array(z.string().max(2000))
      .max(10_000)
      .openapi({ description: "The `budget` that the check of this very text told." }),
    reason: z.string().min(1).max(500).openapi({ description: "Kept in the ledger for ever." }),
  })
  .openapi("PolicyAgreed");

const accept = createRoute({
  method: "put",
  path: "/v1/policy",
  ...access("policy.change"),
  summary: "Put a policy in place that was checked",
  description:
    "Its budget is put on record in the ledger, for ever, and the service starts again under it. Until then no question is charged.",
  security: proofs,
  request: { body: { required: true, content: { "application/json": { schema: policyAgreed } } } },
  responses: { 202: { description: "In place; the service starts again." }, ...refusals },
});

const time = z.iso
  .datetime()
  .optional()
  .transform((written) => (written === undefined ? undefined : Date.parse(written)));

/** The span of time of what is looked for. */
const span = {
  from: time.openapi({ type: "string", format: "date-time", description: "The first moment that counts." }),
  to: time.openapi({
    type: "string",
    format: "date-time",
    description: "The first moment that counts no more.",
  }),
};
const person = z.string().min(1).max(200).optional();

const charges = createRoute({
  method: "get",
  path: "/v1/charges",
  ...access("ledger.read"),
  summary: "List what was asked and charged, by anybody, newest first",
  description:
    "With a filter, a page may hold fewer than `limit`, and none: `before` tells whether there are more.",
  security: proofs,
  request: {
    query: pageAsked.extend({
      ...span,
      person: person.openapi({ description: "Who was charged." }),
      word: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .openapi({ description: "A word that stands in the question, such as the name of a table." }),
    }),
  },
  responses: { 200: answers(chargePage, "A page of charges."), ...refusals },
});

const auditLog = createRoute({
  method: "get",
  path: "/v1/audit-log",
  ...access("audit-log.read"),
  summary: "Read who did what, newest first",
  description:
    "Each entry covers the one before it by its hash: docs/reference/audit-log.md says how to check them. With a filter, a page may hold fewer than `limit`, and none: `before` tells whether there are more.",
  security: proofs,
  request: {
    query: pageAsked.extend({
      ...span,
      person: person.openapi({ description: "Who did it, or to whom it was done." }),
      kind: z.string().min(1).max(40).optional().openapi({ description: "The kind of fact." }),
    }),
  },
  responses: { 200: answers(auditPage, "A page of entries."), ...refusals },
});

const ledger = createRoute({
  method: "get",
  path: "/v1/ledger",
  ...access("ledger.read"),
  summary: "Read the records of the ledger's chain, newest first",
  description: "Each covers the one before it by its hash, so that anyone can check them.",
  security: proofs,
  request: { query: pageAsked },
  responses: { 200: answers(ledgerPage, "A page of records."), ...refusals },
});

/** Adds the routes of the policy, of the ledger and of the audit log. */
export function addRecordRoutes(
  app: App,
  { records, admission }: Pick<AppParts, "records" | "admission">,
): void {
  app.openapi(policy, async (context) =>
    sent(await records.policy(await admitted(context, admission, "read"))),
  );
  app.openapi(check, async (context) => {
    const who = await admitted(context, admission, "change");
    return sent(await records.checkPolicy(who, context.req.valid("json").text));
  });
  app.openapi(accept, async (context) => {
    const who = await admitted(context, admission, "change");
    await records.acceptPolicy(who, context.req.valid("json"));
    return new Response(null, { status: 202 });
  });
  app.openapi(ledger, async (context) => {
    const who = await admitted(context, admission, "read");
    const { before = null, limit } = context.req.valid("query");
    return sent(await records.ledger(who, { before, most: limit }));
  });
  app.openapi(auditLog, async (context) => {
    const who = await admitted(context, admission, "read");
    const { before = null, limit, ...filter } = context.req.valid("query");
    return sent(await records.auditLog(who, { before, most: limit }, filter));
  });
  app.openapi(charges, async (context) => {
    const who = await admitted(context, admission, "read");
    const { before = null, limit, ...filter } = context.req.valid("query");
    return sent(await records.asked(who, { before, most: limit }, filter));
  });
}
