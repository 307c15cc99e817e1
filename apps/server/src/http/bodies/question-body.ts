import { z } from "@hono/zod-openapi";

/** A number, or the text of one, which is read exactly: "0.1", "1/3". */
const exact = z.union([z.number(), z.string().max(200)]).openapi({
  type: ["number", "string"],
  description: "A number, or its text, which is read exactly.",
  example: "0.1",
});

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

type Exact = number | string;
type Value = string | number | boolean | null;

/** A question: its text, the values of its parameters, and what is stated beside it. Each member means what it means in `AskOptions`. */
export interface QuestionBody {
  readonly sql: string;
  readonly params?: readonly Value[] | Readonly<Record<string, Value>> | undefined;
  readonly epsilon?: Exact | undefined;
  readonly delta?: Exact | undefined;
  readonly keys?: "public" | "private" | undefined;
  readonly mechanism?: "laplace" | "gaussian" | undefined;
  readonly confidence?: Exact | undefined;
  readonly advantage?: Exact | undefined;
  readonly targetError?: Exact | undefined;
  readonly targetErrorRelative?: Exact | undefined;
  readonly targetRelease?: string | undefined;
  readonly targetRows?: Exact | undefined;
  readonly pilotEpsilon?: Exact | undefined;
  readonly maxEpsilon?: Exact | undefined;
  readonly acceptUninformative?: boolean | undefined;
  readonly today?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly made?: boolean | undefined;
  readonly project?: string | undefined;
}

/** The body of a question: its text, the values of its parameters and what is stated beside it. */
export const questionBody: z.ZodType<QuestionBody> = z
  .strictObject({
    sql: z.string().min(1).openapi({ example: "SELECT sector, AVG(wage) FROM people GROUP BY sector" }),
    params: z
      .union([z.array(value).max(1000), z.record(z.string(), value)])
      .optional()
      .openapi({ description: "The values of $1, $2 … as a list, or of @name by name: never read as SQL." }),
    epsilon: exact
      .optional()
      .openapi({ description: "The price. The policy's default where it is left out." }),
    delta: exact.optional(),
    keys: z.enum(["public", "private"]).optional(),
    mechanism: z.enum(["laplace", "gaussian"]).optional(),
    confidence: exact
      .optional()
      .openapi({ description: "Coverage of the intervals: 0.95 where it is left out." }),
    advantage: exact.optional().openapi({
      description: "The most that a test of membership may gain over guessing, instead of a price.",
    }),
    targetError: exact.optional(),
    targetErrorRelative: exact.optional(),
    targetRelease: z.string().max(200).optional(),
    targetRows: exact.optional(),
    pilotEpsilon: exact.optional(),
    maxEpsilon: exact.optional(),
    acceptUninformative: z.boolean().optional(),
    today: z
      .string()
      .regex(/^\d{4}-\d\d-\d\d$/)
      .optional()
      .openapi({ description: "The day that CURRENT_DATE stands for." }),
    fresh: z.boolean().optional().openapi({
      description: "Pays for a new answer even where an earlier one to the same question is there.",
    }),
    made: z.boolean().optional().openapi({
      description: "Takes the answer that earlier releases make, and pays for nothing.",
    }),
    project: z
      .string()
      .max(100)
      .optional()
      .openapi({ description: "The project whose cap covers the question." }),
  })
  .openapi("Question");
