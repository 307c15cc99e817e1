import type { Node, RangeVar, ResTarget, SelectStmt, SortBy } from "@pgsql/types";
import { demandType, expressionBuilder } from "../../expressions/build/build-expression.ts";
import { type Domain, publicKeys } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { booleanDomain, numberDomain, type Scalar, textDomain } from "../../expressions/operators/domains.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveExpression } from "../../resolve/expressions/resolve-expression.ts";
import { nodesOf, offsetOf } from "../../resolve/names/nodes.ts";
import type { Scope } from "../../resolve/names/scope.ts";
import { aliased, ordinal, type Target, targetsOf } from "../../resolve/names/targets.ts";
import type { CatalogAnswer, CatalogAnswerColumn } from "./catalog-answer.ts";

const longestText = 10_000;

const domains: Readonly<Record<CatalogAnswerColumn["type"], Domain>> = {
  text: textDomain(longestText, true),
  integer: numberDomain(null, true, true),
  number: numberDomain(null, false, true),
  boolean: booleanDomain(true),
};

/** The clauses that are read here. */
const clauses: ReadonlySet<string> = new Set([
  "op",
  "targetList",
  "fromClause",
  "whereClause",
  "sortClause",
  "limitCount",
  "limitOffset",
  "limitOption",
]);

type Row = Readonly<Record<string, Scalar>>;

/**
 * Answers a SELECT of one relation of information_schema: its columns, expressions of them, COUNT(*), with WHERE, ORDER BY, LIMIT and OFFSET.
 * Errors: query.unknown-table, query.unsupported, and those of expressions.
 */
export function selectCatalog(
  select: SelectStmt,
  relations: ReadonlyMap<string, CatalogAnswer>,
): CatalogAnswer {
  for (const [clause, value] of Object.entries(select))
    if (!clauses.has(clause) || (clause === "op" && value !== "SETOP_NONE")) refuseForm(select);
  const relation = relationOf(select, relations);
  const scope = scopeOf(relation, relation.name);
  const read = (node: Node): Expression => resolveExpression(node, scope);
  const rows: readonly Row[] = relation.rows.map((cells) =>
    Object.fromEntries(relation.columns.map(({ name }, at) => [name, cells[at] ?? null])),
  );
  const condition = select.whereClause ? read(select.whereClause) : null;
  if (condition) demandType(condition, "boolean", select.whereClause && offsetOf(select.whereClause));
  const kept = condition ? rows.filter((row) => evaluate(condition, row) === true) : rows;

  const targets = targetsOf({ ...select, targetList: spread(select, relation.columns) });
  if (targets.some(({ node }) => isCount(node))) return countOf(targets, kept.length, select);
  const shown = targets.map(({ name, node }) => ({ name, expression: read(node) }));
  const placed = ordered(kept, select, targets, read).slice(
    wholeNumber(select.limitOffset, read) ?? 0,
    select.limitCount
      ? (wholeNumber(select.limitOffset, read) ?? 0) +
          (wholeNumber(select.limitCount, read) ?? Number.POSITIVE_INFINITY)
      : undefined,
  );
  return {
    columns: shown.map(({ name, expression }) => ({ name, type: columnType(expression.domain) })),
    rows: placed.map((row) => shown.map(({ expression }) => evaluate(expression, row))),
  };
}

function refuseForm(select: SelectStmt): never {
  return refuse(
    "query.unsupported",
    "information_schema is read one relation at a time, without groups, joins and subqueries",
    "write SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'a_table'",
    select.targetList?.[0] && offsetOf(select.targetList[0]),
  );
}

function relationOf(
  select: SelectStmt,
  relations: ReadonlyMap<string, CatalogAnswer>,
): CatalogAnswer & { readonly name: string } {
  const [from, ...others] = select.fromClause ?? [];
  if (!from || others.length > 0 || !("RangeVar" in from)) return refuseForm(select);
  const range: RangeVar = from.RangeVar;
  const asked = (range.relname ?? "").toLowerCase();
  const found = relations.get(asked);
  if (found) return { ...found, name: range.alias?.aliasname ?? asked };
  return refuse(
    "query.unknown-table",
    `information_schema has no relation ${JSON.stringify(asked)} here`,
    didYouMean(asked, [...relations.keys()]),
    range.location,
  );
}

function scopeOf({ columns }: CatalogAnswer, name: string): Scope {
  return {
    // No table of the policy is read.
    from: { kind: "table", table: name, source: null, unit: { kind: "public" }, oncePer: null, columns: {} },
    sources: [
      {
        name,
        columns: columns.map((column) => ({
          name: column.name,
          key: null,
          isUnit: false,
          namesUnit: false,
          expression: () => ({ kind: "column", name: column.name, domain: domains[column.type] }),
        })),
      },
    ],
    merged: [],
    build: expressionBuilder(),
  };
}

/** The list with * written out. */
function spread({ targetList = [] }: SelectStmt, columns: readonly CatalogAnswerColumn[]): Node[] {
  return targetList.flatMap((target) => {
    const { val } = (target as { ResTarget: ResTarget }).ResTarget;
    const isStar = val && "ColumnRef" in val && val.ColumnRef.fields?.some((field) => "A_Star" in field);
    if (!isStar) return [target];
    return columns.map(({ name }) => ({
      ResTarget: { val: { ColumnRef: { fields: [{ String: { sval: name } }] } } },
    }));
  });
}

function isCount(node: Node): boolean {
  return [...nodesOf<boolean>("agg_star", node)].length > 0;
}

function countOf(targets: readonly Target[], count: number, select: SelectStmt): CatalogAnswer {
  const [target, ...others] = targets;
  if (!target || others.length > 0 || !("FuncCall" in target.node)) return refuseForm(select);
  return { columns: [{ name: target.name, type: "integer" }], rows: [[count]] };
}

function ordered(
  rows: readonly Row[],
  { sortClause = [] }: SelectStmt,
  targets: readonly Target[],
  read: (node: Node) => Expression,
): readonly Row[] {
  const keys = sortClause.flatMap((item) => {
    const { node, sortby_dir, sortby_nulls } = (item as { SortBy: SortBy }).SortBy;
    if (!node) return [];
    const target = aliased(node, targets) ?? ordinal(node, targets, "ORDER BY");
    const descending = sortby_dir === "SORTBY_DESC";
    const nullsFirst =
      sortby_nulls === "SORTBY_NULLS_FIRST" || (descending && sortby_nulls !== "SORTBY_NULLS_LAST");
    return [{ by: read(target?.node ?? node), descending, nullsFirst }];
  });
  return [...rows].sort((a, b) => {
    for (const { by, descending, nullsFirst } of keys) {
      const [x, y] = [evaluate(by, a), evaluate(by, b)];
      if (x === y) continue;
      if (x === null || y === null) return (x === null) === nullsFirst ? -1 : 1;
      return x < y === descending ? 1 : -1;
    }
    return 0;
  });
}

/** The number of LIMIT or OFFSET; null where there is none, or LIMIT ALL. Errors: query.type. */
function wholeNumber(node: Node | undefined, read: (node: Node) => Expression): number | null {
  if (!node) return null;
  const { domain } = read(node);
  if (domain.type === "number") {
    const [value, ...others] = publicKeys(domain) ?? [];
    if (typeof value === "bigint" && value >= 0n && others.length === 0) return Number(value);
  }
  return refuse("query.type", "LIMIT and OFFSET take a whole number", "write LIMIT 10", offsetOf(node));
}

function columnType(domain: Domain): CatalogAnswerColumn["type"] {
  if (domain.type === "number") return domain.integer ? "integer" : "number";
  return domain.type === "boolean" ? "boolean" : "text";
}
