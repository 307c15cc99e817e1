import { compare, parseRational, zero } from "@lethe/core";
import { z } from "zod";
import { columnSchema } from "./column-schema.ts";
import type { PolicyFile } from "./policy-file.ts";
import { boolean, closed, exactNumber, name, named, positiveInteger, says, text } from "./schema-fields.ts";

const one = parseRational("1");
const positive = (what: string): z.ZodString => exactNumber(what, (x) => compare(x, zero) > 0, "above 0");
const delta = exactNumber(
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

const csvMark = (what: string): z.ZodString =>
  z
    .string({ error: says("must be one character", `write ${what}: "…"`) })
    .refine(
      (mark) => [...mark].length === 1 && !/[\r\n\0\p{Cs}]/u.test(mark),
      says("must be one character, no line break", `write ${what}: "…" with one character`),
    );

const csv = closed({
  delimiter: csvMark("delimiter").optional(),
  quote: csvMark("quote").optional(),
  header: boolean.optional(),
}).refine(
  (marks) => (marks.delimiter ?? ",") !== (marks.quote ?? '"'),
  says("delimiter and quote are the same", "choose two different characters"),
);

const file = text
  .min(1, { error: says("must not be empty", "name a .csv, .parquet or .duckdb file") })
  .refine((path) => !path.includes("://"), says("must be a file, not an address", "download it first"))
  .refine(
    (path) => /\.(csv|parquet|duckdb)$/i.test(path),
    says("is not a kind of file that Lethe reads", "name a .csv, .parquet or .duckdb file"),
  );

const table = closed({
  file,
  relation: text
    .min(1, { error: says("must not be empty", "name the relation, or leave it out") })
    .optional(),
  csv: csv.optional(),
  unit: z.union([z.string(), closed({ column: name })], {
    error: says("must be row or a column", "write unit: row, or unit: name_of_the_column"),
  }),
  max_groups_contributed: positiveInteger.optional(),
  max_rows_contributed_per_group: positiveInteger.optional(),
  bound: z
    .enum(["groups-after-filter", "rows-before-filter"], {
      error: says("is not a way to bound", "write bound: groups-after-filter or rows-before-filter"),
    })
    .optional(),
  expected_rows: positiveInteger.optional(),
  columns: named(columnSchema, "column"),
}).superRefine((source, context) => {
  const fault = (path: string[], wrong: string, fix: string): void =>
    context.addIssue({ code: "custom", path, message: says(wrong, fix) });
  if (source.csv && !/\.csv$/i.test(source.file)) fault(["csv"], "is for .csv files alone", "remove it");
  if (source.relation !== undefined && !/\.duckdb$/i.test(source.file))
    fault(["relation"], "is for .duckdb files alone", "remove it");
  if (Object.keys(source.columns).length === 0)
    fault(["columns"], "must name at least one column", "declare the columns that may be asked");
  if (source.unit === "row") {
    for (const key of ["max_groups_contributed", "max_rows_contributed_per_group"] as const)
      if ((source[key] ?? 1) !== 1)
        fault(
          [key],
          "must be 1 where each row is a unit",
          "remove it, or name the unit's column: unit: column_name",
        );
    return;
  }
  const column = typeof source.unit === "string" ? source.unit : source.unit.column;
  const declared = Object.hasOwn(source.columns, column) ? source.columns[column] : undefined;
  if (!declared)
    fault(
      ["unit"],
      `names the column ${JSON.stringify(column)}, which columns does not declare`,
      `declare it below columns, as ${JSON.stringify(column)}: { type: text }, or write unit: row`,
    );
  else if (Object.keys(declared).some((key) => key !== "type"))
    // A clamp, a default or a cut would merge several units into one.
    fault(
      ["columns", column],
      "names the privacy unit and so states a type alone",
      "remove its bounds, categories, default and max_length",
    );
});

const analysts = named(positive("a sub-cap"), "analyst").optional();

type Refine = z.core.$RefinementCtx<unknown>;
function checkSubCaps(
  cap: string | undefined,
  caps: Readonly<Record<string, string>> = {},
  context: Refine,
): void {
  const whole = cap === undefined ? undefined : parseRational(cap);
  for (const [analyst, part] of Object.entries(caps))
    if (whole && compare(parseRational(part), whole) > 0)
      context.addIssue({
        code: "custom",
        path: ["analysts", analyst],
        message: says("is above the whole budget", `write at most ${cap}`),
      });
}

const pureBudget = closed({
  measure: z.literal("pure"),
  epsilon: positive("epsilon"),
  delta: noDelta.optional(),
  analysts,
}).superRefine((budget, context) => checkSubCaps(budget.epsilon, budget.analysts, context));

const approximateBudget = closed({
  measure: z.literal("approximate"),
  epsilon: positive("epsilon"),
  delta: positiveDelta,
  analysts,
}).superRefine((budget, context) => checkSubCaps(budget.epsilon, budget.analysts, context));

const zcdpBudget = closed({
  measure: z.literal("zcdp"),
  rho: positive("rho").optional(),
  epsilon: positive("epsilon").optional(),
  delta: delta.optional(),
  analysts,
}).superRefine((budget, context) => {
  const fault = (path: string, wrong: string, fix: string): void =>
    context.addIssue({ code: "custom", path: [path], message: says(wrong, fix) });
  const either = "write rho alone, or epsilon together with delta";
  if ((budget.rho === undefined) === (budget.epsilon === undefined))
    fault(
      budget.rho === undefined ? "measure" : "epsilon",
      "a zcdp account states rho, or epsilon and delta",
      either,
    );
  else if (budget.epsilon !== undefined && !(compare(parseRational(budget.delta ?? "0"), zero) > 0))
    fault("epsilon", "needs a delta above 0 to become a rho", either);
  checkSubCaps(budget.rho ?? budget.epsilon, budget.analysts, context);
});

const budgetSchema = z.discriminatedUnion("measure", [pureBudget, approximateBudget, zcdpBudget], {
  error: (issue) =>
    issue.code === "invalid_union"
      ? says("is not a privacy measure", "write measure: pure, approximate or zcdp")
      : says("must be a map of keys", "write budget: { measure: approximate, epsilon: 5, delta: 1e-6 }"),
});

const defaultsSchema = closed({ epsilon: positive("epsilon").optional(), delta: delta.optional() });

/** The policy file as it is written (snake_case), before ./read-policy.ts turns it into a Policy. */
export const policySchema: z.ZodType<PolicyFile> = closed({
  version: z.literal(1, { error: says("is not a version of the policy format", "write version: 1") }),
  privacy_unit: closed({
    name: name,
    adjacency: z.enum(["add-or-remove-one", "replace-one"], {
      error: says("is not an adjacency", "write adjacency: add-or-remove-one or replace-one"),
    }),
  }),
  tables: named(table, "table"),
  budget: budgetSchema,
  defaults: defaultsSchema.optional(),
}).superRefine((policy, context) => {
  if (policy.budget.measure === "pure" && compare(parseRational(policy.defaults?.delta ?? "0"), zero) > 0)
    context.addIssue({
      code: "custom",
      path: ["defaults", "delta"],
      message: says("a pure account has no delta", "remove it, or choose measure: approximate"),
    });
});
