import { compare, parseRational, zero } from "@lethe/core";
import { z } from "zod";
import { checkPaths } from "./check-paths.ts";
import { checkUnit } from "./check-unit.ts";
import { columnSchema } from "./column-schema.ts";
import { checkSources, databaseSchema } from "./database-schema.ts";
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

const throughKey = closed({
  through: name,
  references: z.union([z.string(), closed({ table: name, column: name })], {
    error: says("must name a table's key", "write references: people.id"),
  }),
});

const table = closed({
  file: file.optional(),
  relation: text
    .min(1, { error: says("must not be empty", "name the relation, or leave it out") })
    .optional(),
  trusted: boolean.optional(),
  csv: csv.optional(),
  unit: z
    .union([z.string(), closed({ column: name }), throughKey], {
      error: says(
        "must be row, a column, or a foreign key",
        "write unit: row, unit: name_of_the_column, or unit: { through: person_id, references: people.id }",
      ),
    })
    .optional(),
  public: boolean.optional(),
  key: name.optional(),
  rows_per_key: named(positiveInteger, "column").optional(),
  max_rows: positiveInteger.optional(),
  max_rows_before_join: positiveInteger.optional(),
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
  if (source.csv && !/\.csv$/i.test(source.file ?? ""))
    fault(["csv"], "is for .csv files alone", "remove it");
  if (source.relation !== undefined && source.file !== undefined && !/\.duckdb$/i.test(source.file))
    fault(["relation"], "is for .duckdb files and databases alone", "remove it");
  if (Object.keys(source.columns).length === 0)
    fault(["columns"], "must name at least one column", "declare the columns that may be asked");
  checkUnit(source, fault);
});

const viewText = z
  .string({
    error: says("must be a SELECT", 'write views: { adults: "SELECT * FROM people WHERE age >= 18" }'),
  })
  .refine(
    (sql) => /^\s*(select|with)\b/i.test(sql),
    says("is not a SELECT", "write SELECT … FROM one of the tables"),
  );

const headFix = "name a file on another disk, as head_file: /mnt/other/lethe.head, or leave it out";

/** What an account states in every measure. */
const account = {
  head_file: text
    .min(1, { error: says("must not be empty", headFix) })
    .refine((path) => !path.includes("://"), says("must be a file, not an address", headFix))
    .optional(),
  analysts: named(positive("a sub-cap"), "analyst").optional(),
  closed: boolean.optional(),
};

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
  ...account,
}).superRefine((budget, context) => checkSubCaps(budget.epsilon, budget.analysts, context));

const approximateBudget = closed({
  measure: z.literal("approximate"),
  epsilon: positive("epsilon"),
  delta: positiveDelta,
  ...account,
}).superRefine((budget, context) => checkSubCaps(budget.epsilon, budget.analysts, context));

const zcdpBudget = closed({
  measure: z.literal("zcdp"),
  rho: positive("rho").optional(),
  epsilon: positive("epsilon").optional(),
  delta: delta.optional(),
  ...account,
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
  database: databaseSchema.optional(),
  tables: named(table, "table"),
  views: named(viewText, "view").optional(),
  budget: budgetSchema,
  defaults: defaultsSchema.optional(),
}).superRefine((policy, context) => {
  const tables = new Set(Object.keys(policy.tables).map((table) => table.toLowerCase()));
  for (const view of Object.keys(policy.views ?? {}))
    if (tables.has(view.toLowerCase()))
      context.addIssue({
        code: "custom",
        path: ["views", view],
        message: says("has the name of a table", "rename the view"),
      });
  for (const { path, wrong, fix } of checkSources(policy))
    context.addIssue({ code: "custom", path: [...path], message: says(wrong, fix) });
  for (const { path, wrong, fix } of checkPaths(policy.tables))
    context.addIssue({ code: "custom", path: [...path], message: says(wrong, fix) });
  if (policy.budget.measure === "pure" && compare(parseRational(policy.defaults?.delta ?? "0"), zero) > 0)
    context.addIssue({
      code: "custom",
      path: ["defaults", "delta"],
      message: says("a pure account has no delta", "remove it, or choose measure: approximate"),
    });
});
