import { elementAt } from "@lethe/core/numeric";
import { sumKindOf } from "../../aggregates/family-of.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { columnsOf, named, places, type Query, rowsOf, select, withTables } from "../../sql/query.ts";
import { joinsOfKeptGroups } from "../contributions/kept-groups.ts";
import type { LimitedGroups } from "../contributions/limited-groups.ts";
import { type QuestionRows, selectRows } from "../contributions/question-rows.ts";
import { type HashedKey, hashedKey, unitHash } from "../stored/unit-hash.ts";
import type { DistinctSum } from "./sum-text.ts";

/**
 * The values that units bring to an aggregate of distinct values: k0 …, v. Of each unit the k groups that its other aggregates keep too,
 * in each of them the values of least keyed hash, `most` at most; both depend on the unit's own rows and the seed alone.
 * The same value of several units stands there several times.
 */
export function distinctValues(
  plan: Plan,
  sum: DistinctSum,
  limited: LimitedGroups,
  dialect: Dialect,
): Query {
  const { rows } = limited;
  const keys = rows.keys.map((_, at) => `k${at}`);
  const hashed = keys.map((key, at) => hashedKey(`owned.${key}`, elementAt(plan.keys.parts, at).expression));

  const { write } = dialect;
  const { argument, most } = sum;
  const { text, hashed: hashedValue } = keptValue(sum, rows);

  // A group is a unit's by any of its rows, also by one without a value.
  const read = [
    named(`${rows.named}`, "u"),
    ...rows.keys.map((key, at) => named(key, `k${at}`)),
    named(text, "v"),
  ];
  const joins = joinsOfKeptGroups(plan, limited, dialect);
  const all = ["u", ...keys, "v"];
  const values = selectRows(read, rows, { joins, groupBy: places(read.length) });
  const owned =
    limited.pairs?.({ query: values, unit: `${rows.named}`, columns: all, isOneEach: false }) ?? values;
  // NULL comes behind all values, and stays where a group has nothing else.
  const isLast = write.caseOf([[write.isMissing("owned.v"), write.integer(1)]], write.integer(0));
  const hash = unitHash(rows.unitName("owned.u"), [...hashed, hashedValue], dialect);
  const group = columnsOf("owned", ["u", ...keys]);
  const own = write.over(write.count(), { partitionBy: group, orderBy: [] });
  const counted = select([...columnsOf("owned", all), named(own, "own")], rowsOf(owned, "owned"));
  // A unit with no more values in a group than it may bring brings them all, and none of them is hashed.
  const order = write.caseOf([[write.compare("owned.own", ">", write.integer(most)), hash]]);
  const place = write.over(write.call("row_number"), {
    partitionBy: group,
    orderBy: argument.domain.nullable ? [isLast, order] : [order],
  });
  const shown = columnsOf("owned", [...keys, "v"]);
  const ranked = select([...shown, named(place, "place")], rowsOf(counted, "owned"));
  const isKept = write.compare("owned.place", "<=", write.integer(most));
  return withTables(rows.before, select(shown, rowsOf(ranked, "owned"), { where: [isKept] }));
}

/** Returns the value that a sum tells apart, and how the hash reads it by the name v: a grid integer where the sum has a grid. */
function keptValue(
  sum: DistinctSum,
  rows: QuestionRows,
): { readonly text: string; readonly hashed: HashedKey } {
  const { argument, grid } = elementAt(sumKindOf(sum).values(sum), 0);
  return grid === null
    ? { text: rows.valued(argument), hashed: hashedKey("owned.v", argument) }
    : { text: rows.gridded(argument, grid), hashed: { value: "owned.v", isDouble: false } };
}
