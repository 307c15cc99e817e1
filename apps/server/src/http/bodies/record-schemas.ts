import { z } from "@hono/zod-openapi";
import { lossSchema } from "./schemas.ts";

const advice = z.array(z.strictObject({ path: z.string(), message: z.string(), fix: z.string() }));

export const policySchema: z.ZodType = z
  .strictObject({ text: z.string(), hash: z.string(), advice })
  .openapi("Policy");

export const policyCheckSchema: z.ZodType = z
  .strictObject({
    hash: z.string().nullable(),
    differs: z
      .array(
        z.strictObject({
          path: z.string(),
          from: z.string().nullable().openapi({ description: "Null where it was not stated." }),
          to: z.string().nullable(),
        }),
      )
      .openapi({ description: "The parts that differ from the policy that is served." }),
    budget: z.array(z.string()).openapi({ description: "What would be put on record, in words." }),
    advice,
    refused: z
      .strictObject({
        code: z.string(),
        message: z.string(),
        fix: z.string(),
        line: z.number().int().nullable(),
        column: z.number().int().nullable(),
      })
      .nullable()
      .openapi({ description: "Why it cannot be served; null where it can." }),
  })
  .openapi("PolicyCheck");

const nullableText = z.string().nullable();

export const chargePage: z.ZodType = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          sequence: z
            .number()
            .int()
            .openapi({ description: "The place of the charge in the ledger's chain." }),
          at: z.string(),
          principal: z.string(),
          project: nullableText,
          requestId: z.string(),
          text: z.string(),
          price: lossSchema,
          state: z.enum(["reserved", "settled", "failed"]),
          sharedBy: nullableText,
        })
        .openapi("AskedLine"),
    ),
    before: nullableText,
  })
  .openapi("ChargePage");

export const auditPage: z.ZodType = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          sequence: z.number().int(),
          previous: z.string(),
          hash: z.string(),
          at: z.number().openapi({ description: "Milliseconds since 1970." }),
          actor: z.strictObject({
            name: nullableText,
            by: nullableText,
            id: nullableText,
            address: nullableText,
          }),
          fact: z.looseObject({ kind: z.string() }),
        })
        .openapi("AuditEntry"),
    ),
    before: nullableText,
  })
  .openapi("AuditPage");

export const ledgerPage: z.ZodType = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          sequence: z.number().int(),
          at: z.number().openapi({ description: "Milliseconds since 1970." }),
          kind: z.string(),
          payload: z.string().openapi({ description: "Canonical JSON." }),
          balance: z.string().openapi({ description: "SHA-256 of the balance after it." }),
          previous: z.string(),
          hash: z.string().openapi({
            description:
              'SHA-256 of "lethe-ledger@1", a line feed, `previous`, a line feed, and the canonical JSON (RFC 8785) of the other members but `hash`.',
          }),
        })
        .openapi("LedgerRecord"),
    ),
    before: nullableText,
  })
  .openapi("LedgerPage");

const count = z.number().int();

export const statusSchema: z.ZodType = z
  .strictObject({
    version: z.string(),
    startedAt: z.string(),
    uptimeSeconds: count,
    ready: z.boolean().openapi({ description: "Whether questions can be answered." }),
    workers: count.openapi({ description: "The workers that the service is to have." }),
    queue: count.openapi({ description: "The most questions that may wait for a worker." }),
    asks: count,
    explains: count,
    shared: count.openapi({ description: "Asks that joined the same one in flight." }),
    slots: count.openapi({ description: "Charges that the release schedule gave a slot." }),
    requests: z.array(
      z.strictObject({
        method: z.string(),
        route: z.string(),
        outcome: z.enum(["served", "refused"]),
        count,
      }),
    ),
  })
  .openapi("Status");

export const sessionSchema: z.ZodType = z
  .strictObject({
    id: z.string(),
    startedAt: z.string(),
    usedAt: z.string(),
    current: z.boolean().openapi({ description: "Whether the request came by it." }),
  })
  .openapi("Session");
