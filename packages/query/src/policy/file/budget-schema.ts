import { parseRational } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import { z } from "zod";
import { checkBudget } from "./check-budget.ts";
import type { BudgetFile, ScopeFile, WindowFile } from "./policy-file.ts";
import { boolean, closed, exactNumber, name, named, says, text } from "./schema-fields.ts";

const one = parseRational("1");

/** An exact number above 0. */
export const positive = (what: string): z.ZodString =>
  exactNumber(what, (x) => compare(x, zero) > 0, "above 0");

/** An exact δ, which may be 0. */
export const delta: z.ZodString = exactNumber(
  "delta",
  (x) => compare(x, zero) >= 0 && compare(x, one) < 0,
  "at least 0 and below 1",
);
const positiveDelta = exactNumber(
  "delta",
  (x) => compare(x, zero) > 0 && compare(x, one) < 0,
  "above 0 and below 1",
);
const noDelta = exactNumber("delta", (x) => compare(x, zero) === 0, "0: a pure account has no delta");

const caps = {
  epsilon: positive("epsilon").optional().describe("The most ε that may be spent here."),
  rho: positive("rho").optional().describe("The most ρ that may be spent here, of a zcdp account."),
  delta: delta
    .optional()
    .describe("The most δ that may be spent here. Left out, the account's alone limits it."),
};

const windowSchema: z.ZodType<WindowFile> = closed({
  per: z
    .enum(["day", "week", "month", "quarter"], {
      error: says("is not a window", "write per: day, week, month or quarter"),
    })
    .describe("The span of the UTC calendar, at the start of which the window has spent nothing."),
  ...caps,
});

const windows = z
  .array(windowSchema, {
    error: says("must be a list of windows", "write windows: [{ per: month, epsilon: 1 }]"),
  })
  .min(1, {
    error: says("must not be empty", "write windows: [{ per: month, epsilon: 1 }], or leave it out"),
  })
  .optional()
  .describe("Caps over spans of the calendar, inside the lifetime's: they refill nothing of it.");

const reserved = boolean
  .optional()
  .describe("If true, nobody else can take of the account what these caps grant.");

const capsOrNumber = z.union([positive("a sub-cap"), closed({ ...caps, reserved, windows })], {
  error: ({ input, ...issue }) => {
    const [, ofMap] = "errors" in issue ? (issue.errors as readonly (readonly { message: string }[])[]) : [];
    return typeof input === "object" && input !== null && ofMap?.[0]
      ? ofMap[0].message
      : typeof input === "string"
        ? says("must be above 0", 'write a sub-cap as a number above 0, such as 0.5, 1e-6 or "1/3"')
        : says("must be a number above 0, or a map of caps", "write ana: 0.5, or ana: { epsilon: 0.5 }");
  },
}) as z.ZodType<string | ScopeFile>;

const analysts = named(capsOrNumber, "analyst").optional();

const headFix = "name a file on another disk, as head_file: /mnt/other/lethe.head, or leave it out";

/** The fields that an account states in every measure. */
const account = {
  head_file: text
    .min(1, { error: says("must not be empty", headFix) })
    .refine((path) => !path.includes("://"), says("must be a file, not an address", headFix))
    .optional()
    .describe(
      "Where the ledger's head is kept, on another disk, so that an older ledger that is put back is refused.",
    ),
  lifetime: z
    .literal("none", {
      error: says("is not a lifetime", "write lifetime: none beside windows, or leave it out"),
    })
    .optional()
    .describe(
      "If none, windows alone bound what is spent, and what the account promises has no bound over time. Left out, epsilon, delta and rho are the lifetime's.",
    ),
  windows,
  analysts: analysts.describe(
    "Who may ask, and how much of the budget each may spend: a number, or a map of caps. Where nobody is listed, whoever can open the ledger may.",
  ),
  projects: named(
    closed({
      ...caps,
      reserved,
      windows,
      analysts: analysts.describe(
        "Who may ask in the project, and within which caps: every analyst unless stated.",
      ),
    }),
    "project",
  )
    .optional()
    .describe("The caps of projects, which a question may be asked for."),
  datasets: named(
    closed({
      ...caps,
      windows,
      tables: z
        .array(name, { error: says("must be a list of tables", "write tables: [rides, stops]") })
        .min(1, { error: says("must not be empty", "write tables: [rides, stops]") })
        .describe("The private tables of the data set. A table is in one data set at most."),
    }),
    "data set",
  )
    .optional()
    .describe(
      "The caps of parts of the data: a question is charged to every data set of which it reads a table.",
    ),
  show_account: boolean
    .optional()
    .describe(
      "Whether analysts may see what the account has spent, as on their certificates: false unless stated.",
    ),
  closed: boolean.optional().describe("If true, nothing more is charged, whatever is left."),
};

const measureWords =
  "What the account promises, and how prices add up: pure (ε), approximate (ε and δ) or zcdp (ρ).";
const epsilonWords = "The most that all answers together may cost.";
const deltaWords = "The chance that the promise fails altogether: far below one in the number of people.";

const pureBudget = closed({
  measure: z.literal("pure").describe(measureWords),
  epsilon: positive("epsilon").optional().describe(epsilonWords),
  delta: noDelta.optional().describe("Of a pure account 0, or left out."),
  ...account,
});

const approximateBudget = closed({
  measure: z.literal("approximate").describe(measureWords),
  epsilon: positive("epsilon").optional().describe(epsilonWords),
  delta: positiveDelta.optional().describe(deltaWords),
  ...account,
});

const zcdpBudget = closed({
  measure: z.literal("zcdp").describe(measureWords),
  rho: positive("rho").optional().describe(`${epsilonWords} Instead of epsilon and delta.`),
  epsilon: positive("epsilon").optional().describe(`${epsilonWords} With delta, from which a ρ is derived.`),
  delta: delta.optional().describe(deltaWords),
  ...account,
});

const measures = z.discriminatedUnion("measure", [pureBudget, approximateBudget, zcdpBudget], {
  error: (issue) =>
    issue.code === "invalid_union"
      ? says("is not a privacy measure", "write measure: pure, approximate or zcdp")
      : says("must be a map of keys", "write budget: { measure: approximate, epsilon: 5, delta: 1e-6 }"),
});

/** The budget of a policy, as it is written. */
export const budgetSchema: z.ZodType<BudgetFile> = measures.superRefine((budget: BudgetFile, context) => {
  for (const { path, wrong, fix } of checkBudget(budget))
    context.addIssue({ code: "custom", path: [...path], message: says(wrong, fix) });
});
