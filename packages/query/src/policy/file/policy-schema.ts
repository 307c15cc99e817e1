import { parseRational } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import { z } from "zod";
import { budgetSchema, delta, positive } from "./budget-schema.ts";
import { checkDataSets } from "./check-data-sets.ts";
import { checkPaths } from "./check-paths.ts";
import { checkUnit } from "./check-unit.ts";
import { columnSchema } from "./column-schema.ts";
import { checkSources, databaseSchema } from "./database-schema.ts";
import { periodSchema, spanSchema } from "./period.ts";
import type { PolicyFile } from "./policy-file.ts";
import { boolean, closed, name, named, positiveInteger, says, text } from "./schema-fields.ts";

const csvMark = (what: string): z.ZodString =>
  z
    .string({ error: says("must be one character", `write ${what}: "…"`) })
    .refine(
      (mark) => [...mark].length === 1 && !/[\r\n\0\p{Cs}]/u.test(mark),
      says("must be one character, no line break", `write ${what}: "…" with one character`),
    );

const csv = closed({
  delimiter: csvMark("delimiter")
    .optional()
    .describe("What stands between two values: a comma unless stated."),
  quote: csvMark("quote")
    .optional()
    .describe("What a value may stand between: a double quote unless stated."),
  header: boolean.optional().describe("Whether the first line names the columns: true unless stated."),
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
  through: name.describe("The column of this table that names a row of another."),
  references: z
    .union(
      [z.string(), closed({ table: name.describe("The other table."), column: name.describe("Its key.") })],
      {
        error: says("must name a table's key", "write references: people.id"),
      },
    )
    .describe("The other table's key, as people.id: a row here is the unit's whose row there has it."),
});

const wayToLimit = z.enum(["groups-after-filter", "rows-before-filter"], {
  error: says(
    "is not a way to limit contributions",
    "write limit: groups-after-filter or limit: rows-before-filter",
  ),
});

const table = closed({
  file: file
    .optional()
    .describe("The .csv, .parquet or .duckdb file that holds the rows, relative to the policy."),
  relation: text
    .min(1, { error: says("must not be empty", "name the relation, or leave it out") })
    .optional()
    .describe(
      "The relation in a .duckdb file, or schema.relation in PostgreSQL: the table's own name unless stated.",
    ),
  trusted: boolean
    .optional()
    .describe(
      "The owner's word for what the database computes when it is read: no row makes reading fail, and no unit's rows depend on another's.",
    ),
  csv: csv
    .optional()
    .describe("How a CSV is written, where it is not with commas, double quotes and a line of names."),
  unit: z
    .union([z.string(), closed({ column: name.describe("The column that names the unit.") }), throughKey], {
      error: says(
        "must be row, a column, or a foreign key",
        "write unit: row, unit: name_of_the_column, or unit: { through: person_id, references: people.id }",
      ),
    })
    .optional()
    .describe(
      "Who owns each row: row (each is a unit of its own), the column that names the unit, or a foreign key that leads there.",
    ),
  public: boolean.optional().describe("The rows belong to nobody, and are public."),
  key: name
    .optional()
    .describe(
      "The column by which other tables reach a row of this one. Of a public table no two rows share its value: of those that do, one is read.",
    ),
  rows_per_key: named(positiveInteger, "column")
    .optional()
    .describe(
      "Of a public table, for each column by which it is joined: the most rows that share a value, at most 1000; more are not read. Example: { zip: 40 }.",
    ),
  max_rows: positiveInteger
    .optional()
    .describe(
      "Of a public table: the most rows that there are, at most 1000. More are not read. Then it is joined by any column, or by none.",
    ),
  max_rows_before_join: positiveInteger
    .optional()
    .describe(
      "Of a private table: the most rows of one unit that are read where they meet other rows of the unit, at most 1000. Unless stated, the most that keep one row within 1000 joined rows.",
    ),
  max_groups_contributed: positiveInteger
    .optional()
    .describe(
      "The most groups of one question that a unit contributes to: 1 unless stated. More groups leave out less, and add noise.",
    ),
  max_rows_contributed_per_group: positiveInteger
    .optional()
    .describe(
      "The most rows that a unit contributes to one group: 1 unless stated. More rows leave out less, and add noise.",
    ),
  limit: wayToLimit
    .optional()
    .describe(
      "Which rows the contribution limits are for: those that a question keeps (groups-after-filter, unless stated), or those of the table (rows-before-filter).",
    ),
  bound: wayToLimit.optional().describe("The word for limit in older policies."),
  expected_rows: positiveInteger
    .optional()
    .describe("A rough number of rows, which is public. Only advice and relative errors use it."),
  columns: named(columnSchema, "column").describe(
    "The columns that may be asked, each with its type and what it may hold.",
  ),
}).superRefine((source, context) => {
  const fault = (path: string[], wrong: string, fix: string): void =>
    context.addIssue({ code: "custom", path, message: says(wrong, fix) });
  if (source.csv && !/\.csv$/i.test(source.file ?? ""))
    fault(["csv"], "is for .csv files alone", "remove it");
  if (source.relation !== undefined && source.file !== undefined && !/\.duckdb$/i.test(source.file))
    fault(["relation"], "is for .duckdb files and databases alone", "remove it");
  if (source.limit !== undefined && source.bound !== undefined)
    fault(["bound"], "is the older word for limit, which stands beside it", "remove bound");
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

const defaultsSchema = closed({
  epsilon: positive("epsilon").optional().describe("What a question costs that does not say."),
  delta: delta.optional().describe("The δ of a question that does not say."),
});

/** The policy file as it is written (snake_case), before ./read-policy.ts turns it into a Policy. */
export const policySchema: z.ZodType<PolicyFile> = closed({
  version: z
    .literal(1, { error: says("is not a version of the policy format", "write version: 1") })
    .describe("The version of this format: 1."),
  privacy_unit: closed({
    name: name.describe("What one unit is called: person, household, device."),
    adjacency: z
      .enum(["add-or-remove-one", "replace-one"], {
        error: says("is not an adjacency", "write adjacency: add-or-remove-one or replace-one"),
      })
      .describe(
        "What nobody can tell apart: data with and without one unit, or with one replaced by another. Under replace-one the number of units is public.",
      ),
  }).describe("Who is protected, with all their rows."),
  database: databaseSchema
    .optional()
    .describe("The server that keeps every table. Left out, each lies in a file."),
  tables: named(table, "table").describe("The tables that may be asked, by name."),
  views: named(viewText, "view")
    .optional()
    .describe("Names for SELECTs over the tables, and over the views before."),
  budget: budgetSchema.describe(
    "What all answers together may cost. Once there is a ledger, lethe budget apply puts a change on record.",
  ),
  defaults: defaultsSchema.optional().describe("What a question costs that does not say."),
  answers_valid: periodSchema("answers_valid")
    .optional()
    .describe(
      "How long an answer from tables that were not imported stands for the same question, which then costs nothing: 30m, 12h, 1d. Left out, each asking is charged.",
    ),
  least_epsilon: positive("least_epsilon")
    .optional()
    .describe("The least epsilon that a question costs which reads private rows. Left out, there is none."),
  release_schedule: spanSchema
    .optional()
    .describe(
      "How long each statement of a question is given, from 1ms to 600s: 500ms, 2s. Its answer leaves then, and not before; what is not ready has failed, and is paid. Left out, answers leave when they are ready.",
    ),
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
  for (const { path, wrong, fix } of checkDataSets(policy))
    context.addIssue({ code: "custom", path: [...path], message: says(wrong, fix) });
  if (policy.budget.measure === "pure" && compare(parseRational(policy.defaults?.delta ?? "0"), zero) > 0)
    context.addIssue({
      code: "custom",
      path: ["defaults", "delta"],
      message: says("a pure account has no delta", "remove it, or choose measure: approximate"),
    });
});
