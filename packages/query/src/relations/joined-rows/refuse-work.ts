import { writeName } from "../../expressions/write-sql.ts";
import { entryOf } from "../../policy/entry-of.ts";
import { keyWords } from "../../policy/lint/key-words.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { mapTables, type Relation, type TableRelation, tablesOf } from "../relation.ts";
import { equatedColumns } from "./equated-columns.ts";
import { rowsOfValue } from "./join-graph.ts";
import { joinedRows, mostJoinedRows } from "./joined-rows.ts";

/** Returns the place where a question names a table, as a UTF-16 index; undefined where it does not. */
export type PlaceOf = (table: Pick<TableRelation, "table" | "source">) => number | undefined;

/**
 * Refuses a question whose public table may multiply rows. Names the table, and a limit that would prevent it. `asked` adds the
 * question's WHERE.
 */
export function refuseWork(
  relation: Relation,
  asked: (relation: Relation) => Relation,
  policy: Policy,
  placeOf: PlaceOf,
): never {
  const least = mapTables(relation, (table) =>
    table.unit.kind === "column" ? { ...table, limits: [{ per: "unit", rows: 1 }] } : table,
  );
  const rowsWithout = (left: TableRelation): number =>
    joinedRows(
      asked(
        mapTables(least, (table) =>
          table.source === left.source || table.unit.kind !== "public"
            ? table
            : { ...table, limits: [...(table.limits ?? []), { per: "table", rows: 1 }] },
        ),
      ),
    );
  const publics = tablesOf(least).filter(({ unit }) => unit.kind === "public");
  const unbounded = publics.find((table) => !Number.isFinite(rowsWithout(table)));
  if (unbounded) refuseUnbounded(unbounded, relation, asked(relation), policy, placeOf(unbounded));
  const rows = joinedRows(asked(least));
  const greatest = [...publics].sort((a, b) => rowsWithout(b) - rowsWithout(a))[0];
  const most = Number.isFinite(rows) ? `up to ${rows}` : "any number of";
  return refuse(
    "query.unsupported",
    `one private row could stand in ${most} joined rows, but at most ${mostJoinedRows} are allowed`,
    greatest === undefined
      ? "join fewer tables"
      : `join on the key of ${greatest.table}, leave out one of the tables, or declare fewer rows below ${greatest.table} in the policy (rows_per_key, max_rows)`,
    greatest && placeOf(greatest),
  );
}

function refuseUnbounded(
  found: TableRelation,
  relation: Relation,
  asked: Relation,
  policy: Policy,
  offset: number | undefined,
): never {
  const { table, source } = found;
  const met = [...(equatedColumns(asked).get(source ?? "") ?? [])].filter(
    (column) => rowsOfValue(found, column) === Number.POSITIVE_INFINITY,
  );
  const size = `state max_rows, of at most ${mostJoinedRows}, below ${table} in the policy`;
  const { key } = entryOf(policy.tables, table);
  // A condition in WHERE alone finds no rows where the join is written.
  if (met.length === 0 || !equatedColumns(joinsOf(relation)).has(source ?? ""))
    return refuse(
      "query.unsupported",
      `every row would be joined with every row of ${table}, and nothing limits how many there are`,
      key === null ? size : `join on its key, ON x = ${writeName(table)}.${writeName(key)}, or ${size}`,
      offset,
    );
  const declared = keyWords(met, table, policy);
  return refuse(
    "query.unsupported",
    `the policy does not say how many rows of ${table} a row may match by ${met.map(writeName).join(" and ")}`,
    declared === null ? size : `${declared}, or ${size}`,
    offset,
  );
}

/** Returns the relation without its filters. */
function joinsOf(relation: Relation): Relation {
  switch (relation.kind) {
    case "table":
    case "list":
      return relation;
    case "filter":
      return joinsOf(relation.of);
    case "union":
      return { ...relation, parts: relation.parts.map((part) => ({ ...part, of: joinsOf(part.of) })) };
    case "join":
      return { ...relation, left: joinsOf(relation.left), right: joinsOf(relation.right) };
    case "semijoin":
    case "marked":
      return { ...relation, of: joinsOf(relation.of), among: joinsOf(relation.among) };
    case "grouped":
    case "windowed":
      return { ...relation, of: joinsOf(relation.of) };
  }
}
