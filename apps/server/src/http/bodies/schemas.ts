import { z } from "@hono/zod-openapi";
import { answerJsonSchema } from "@lethe/serve/formats";

export const lossSchema: z.ZodType = z
  .object({
    measure: z.enum(["pure", "approximate", "zcdp"]),
    epsilon: z.string().optional(),
    delta: z.string().optional(),
    rho: z.string().optional(),
  })
  .openapi("Loss", {
    description: "A loss, or a cap, in the account's measure: exact fractions, written as texts.",
  });

/** A refusal, by RFC 9457. */
export const problemSchema: z.ZodType = z
  .object({
    type: z.string().openapi({ example: "urn:lethe:error:ledger.budget" }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z
      .string()
      .openapi({ description: "The stable code of the error; docs/reference/errors.md has them all." }),
    fix: z.string().openapi({ description: "What would be accepted." }),
    fields: z.record(z.string(), z.unknown()),
    line: z.number().int().optional(),
    column: z.number().int().optional(),
  })
  .openapi("Problem");

const { $schema: _, title: __, ...answerShape } = answerJsonSchema() as Record<string, unknown>;

/** The answer to a question: rows with named fields, and the signed release. */
export const answerSchema: z.ZodType = z
  .looseObject({ kind: z.string().optional() })
  .openapi("Answer", answerShape);

/** A plan in words and numbers. */
export const explanationSchema: z.ZodType = z
  .looseObject({
    text: z.string(),
    price: lossSchema,
    unit: z.string(),
    adjacency: z.string(),
    answers: z.array(z.looseObject({})),
    warnings: z.array(z.looseObject({})),
    earlier: z.object({ requestId: z.string(), asOf: z.string() }).nullable(),
    reads: z
      .array(
        z.strictObject({
          table: z.string(),
          from: z.enum(["lies", "import", "copy", "snapshot", "not-imported", "stale"]),
          snapshot: z.string().nullable(),
          asOf: z.string().nullable(),
          order: z.enum(["built", "other-seed", "none", "not-needed"]).nullable(),
          words: z.array(z.string()),
        }),
      )
      .openapi({
        description:
          "How each table would be read: as it lies, or the rows of an import, with the moment of a copy of PostgreSQL and of a snapshot in Trino. A fact of what the owner did, and not of rows.",
      }),
  })
  .openapi("Explanation");

export const descriptionSchema: z.ZodType = z
  .object({
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        kind: z.string(),
        isWhole: z.boolean().optional().openapi({ description: "A key whose numbers are all whole." }),
      }),
    ),
    parameters: z.array(z.object({ name: z.string(), type: z.string() })),
  })
  .openapi("Description");

export const tableSchema: z.ZodType = z
  .looseObject({
    name: z.string(),
    schema: z.string(),
    kind: z.enum(["private", "public"]),
    isView: z.boolean(),
    unit: z.string().nullable(),
    columns: z.array(z.looseObject({ name: z.string(), type: z.string() })),
    questions: z.array(z.string()),
  })
  .openapi("Table");

/** A request that was made earlier. */
export const requestLine: z.ZodType = z
  .strictObject({
    requestId: z.string(),
    principal: z.string(),
    at: z.string(),
    text: z.string(),
    price: lossSchema,
    state: z.enum(["in-flight", "charged", "settled", "failed"]),
    sharedBy: z
      .string()
      .nullable()
      .openapi({ description: "Of an answer that you received: whose request it answered." }),
    offer: z
      .string()
      .nullable()
      .openapi({ description: "Of an answer that you received: what gives it again, for nothing." }),
  })
  .openapi("ReleaseLine");

export const releasePage: z.ZodType = z
  .object({
    items: z.array(requestLine),
    before: z.string().nullable().openapi({ description: "Asks for the next page; null at the end." }),
  })
  .openapi("ReleasePage");

export const certificatePage: z.ZodType = z
  .strictObject({
    items: z.array(
      z.strictObject({ certificate: z.looseObject({ requestId: z.string() }), signature: z.string() }),
    ),
    before: z.string().nullable(),
  })
  .openapi("CertificatePage");

export const meSchema: z.ZodType = z
  .object({
    name: z.string(),
    roles: z.array(z.string()),
    projects: z.array(z.string()),
    by: z.enum(["token", "session"]),
  })
  .openapi("Me");

export const personSchema: z.ZodType = z
  .object({
    name: z.string(),
    roles: z.array(z.string()),
    disabled: z.boolean(),
    projects: z.array(z.string()),
    identities: z.array(z.object({ issuer: z.string(), subject: z.string() })),
    hasPassword: z.boolean(),
    createdAt: z.string(),
  })
  .openapi("Person");

export const tokenSchema: z.ZodType = z
  .object({
    id: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    maxEpsilon: z.string().nullable(),
    createdAt: z.string(),
    expiresAt: z.string(),
  })
  .openapi("Token");

const amounts = z.strictObject({ granted: z.string().nullable(), spent: z.string().nullable() });

export const budgetSchema: z.ZodType = z
  .strictObject({
    scopes: z.array(
      z.strictObject({
        name: z.string(),
        periods: z.array(
          amounts
            .extend({
              per: z.enum(["lifetime", "day", "week", "month", "quarter"]),
              delta: amounts.nullable(),
            })
            .openapi({ description: "Exact fractions, as texts; null where nothing is limited, or shown." }),
        ),
      }),
    ),
  })
  .openapi("Budget");
