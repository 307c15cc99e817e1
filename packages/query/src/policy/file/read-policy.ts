import { parseRational, type Rational } from "@lethe/core";
import { lengthOf } from "../../expressions/calendar/rounding.ts";
import { readTime, type TimeType, timeLimits } from "../../expressions/calendar/times.ts";
import type { Adjacency, ColumnPolicy, Policy, TablePolicy, TimeColumn, UnitPolicy } from "../policy.ts";
import { referenced } from "./check-paths.ts";
import { linkOf } from "./check-unit.ts";
import { refuseDoubleRoles } from "./double-roles.ts";
import type { FileKind } from "./file-kind.ts";
import { invalidFile } from "./invalid-file.ts";
import { periodOf, spanOf } from "./period.ts";
import type { ColumnFile, PolicyFile, TableFile } from "./policy-file.ts";
import { policySchema } from "./policy-schema.ts";
import { readBudget } from "./read-budget.ts";
import { writtenSources } from "./written-sources.ts";
import { readYaml } from "./yaml-tree.ts";

/** Numbers of budgets never pass through a double. */
const policyFile: FileKind = {
  noun: "policy",
  unreadable: "policy.unreadable",
  invalid: "policy.invalid",
  exactSections: new Set(["budget", "defaults", "least_epsilon"]),
};

const defaultTextLength = 256;

const rational = (source: string | undefined): Rational | null =>
  source === undefined ? null : parseRational(source);

function columnPolicy(column: ColumnFile): ColumnPolicy {
  const nullable = column.default === undefined;
  switch (column.type) {
    case "number":
      return { type: "number", nullable, bounds: column.bounds ?? null, default: column.default ?? null };
    case "integer":
      return {
        type: "integer",
        nullable,
        bounds: column.bounds ?? null,
        categories: column.categories ?? null,
        default: column.default ?? null,
      };
    case "text":
      return {
        type: "text",
        nullable,
        categories: column.categories ?? null,
        default: column.default ?? null,
        maxLength: column.max_length ?? Math.max(defaultTextLength, ...lengths(column.categories ?? [])),
      };
    case "boolean":
      return { type: "boolean", nullable, default: column.default ?? null };
    case "date":
    case "timestamp":
      return timePolicy(column);
  }
}

function timePolicy({
  type,
  bounds,
  default: declared,
  round_filters: rounding,
}: Extract<ColumnFile, { type: TimeType }>): TimeColumn {
  const number = (written: string): number => readTime(type, written)!;
  return {
    type,
    nullable: declared === undefined,
    bounds: bounds ? [number(bounds[0]), number(bounds[1])] : timeLimits[type],
    default: declared === undefined ? null : number(declared),
    ...(rounding === undefined ? {} : { rounding: lengthOf(type, periodOf(rounding)) }),
  };
}

const lengths = (values: readonly string[]): number[] => values.map((value) => [...value].length);

function unitPolicy({ unit }: TableFile, tables: PolicyFile["tables"]): UnitPolicy {
  if (unit === undefined) return { kind: "public" };
  if (unit === "row") return { kind: "row" };
  if (typeof unit !== "object" || !("through" in unit)) return { kind: "column", column: linkOf(unit) };
  return { kind: "through", column: unit.through, references: referenced(unit.references, tables)! };
}

function joinPolicy({
  rows_per_key: rowsPerKey,
  max_rows: maxRows,
  max_rows_before_join: maxRowsBeforeJoin,
}: TableFile): Pick<TablePolicy, "joins"> {
  const joins: TablePolicy["joins"] = {
    ...(rowsPerKey === undefined ? {} : { rowsPerKey }),
    ...(maxRows === undefined ? {} : { maxRows }),
    ...(maxRowsBeforeJoin === undefined ? {} : { maxRowsBeforeJoin }),
  };
  return Object.keys(joins).length === 0 ? {} : { joins };
}

function tablePolicy(table: TableFile, tables: PolicyFile["tables"]): TablePolicy {
  return {
    file: table.file ?? null,
    relation: table.relation ?? null,
    csv: {
      delimiter: table.csv?.delimiter ?? ",",
      quote: table.csv?.quote ?? '"',
      header: table.csv?.header ?? true,
    },
    trusted: table.trusted ?? false,
    unit: unitPolicy(table, tables),
    key: table.key ?? null,
    ...joinPolicy(table),
    contribution: {
      maxGroups: table.max_groups_contributed ?? 1,
      maxRowsPerGroup: table.max_rows_contributed_per_group ?? 1,
      limit: table.limit ?? table.bound ?? "groups-after-filter",
    },
    columns: mapValues(table.columns, columnPolicy),
    expectedRows: table.expected_rows ?? null,
  };
}

function mapValues<From, To>(
  map: Readonly<Record<string, From>>,
  to: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
}

function policy(file: PolicyFile): Policy {
  const adjacency: Adjacency = file.privacy_unit.adjacency;
  return {
    version: 1,
    privacyUnit: { name: file.privacy_unit.name, adjacency },
    database: file.database ? { kind: file.database.kind, urlVariable: file.database.url_env ?? null } : null,
    tables: mapValues(file.tables, (table) => tablePolicy(table, file.tables)),
    views: file.views ?? {},
    budget: readBudget(file.budget),
    defaults: { epsilon: rational(file.defaults?.epsilon), delta: rational(file.defaults?.delta) },
    ...(file.answers_valid === undefined ? {} : { answersValid: periodOf(file.answers_valid) }),
    ...(file.least_epsilon === undefined ? {} : { leastEpsilon: parseRational(file.least_epsilon) }),
    ...(file.release_schedule === undefined ? {} : { releaseSchedule: spanOf(file.release_schedule) }),
  };
}

/**
 * Reads a policy from YAML text. Pure: no file is opened. Budgets are read digit by digit (0.1 is 1/10). What is not
 * stated: a table bounds a unit to one group and one row in it, CSVs are comma-separated with a header, texts are cut
 * at 256 characters, a column without a default may be NULL.
 * Errors: policy.unreadable (not YAML, anchors, repeated keys, over 1 MiB); policy.invalid with the path inside the
 * document, the line, and what would be accepted; policy.roles where two tables name one source in two roles.
 * @example readPolicy(await readFile("lethe.yaml", "utf8")).tables["people"]
 */
export function readPolicy(text: string): Policy {
  const tree = readYaml(text, policyFile);
  const result = policySchema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, policyFile);
  const read = policy(result.data);
  refuseDoubleRoles(read, writtenSources(read));
  return read;
}
