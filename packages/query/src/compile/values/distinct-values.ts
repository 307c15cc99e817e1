import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan, SumColumn } from "../../plan/plan.ts";
import { columnsOf, named, places, type Query, rowsOf, select, withTables } from "../../sql/query.ts";
import { joinsOfKeptGroups } from "../contributions/kept-groups.ts";
import type { LimitedGroups } from "../contributions/limited-groups.ts";
import { selectRows } from "../contributions/question-rows.ts";
import { hashedKey, unitHash } from "../stored/unit-hash.ts";

/**
 * The values that units bring to a COUNT(DISTINCT …): k0 …, v. Of each unit the k groups that its other aggregates keep too,
 * in each of them the values of least keyed hash, `most` at most; both depend on the unit's own rows and the seed alone.
 * The same value of several units stands there several times.
 */
export function distinctValues(
  plan: Plan,
  { argument, most }: Extract<SumColumn, { readonly kind: "distinct" }>,
  limited: LimitedGroups,
  dialect: Dialect,
): Query {
  const { rows } = limited;
  const keys = rows.keys.map((_, at) => `k${at}`);
  const hashed = keys.map((key, at) => hashedKey(`owned.${key}`, elementAt(plan.keys.parts, at).expression));

  const { write } = dialect;

  // A group is a unit's by any of its rows, also by one without a value.
  const read = [
    named(`${rows.named}`, "u"),
    ...rows.keys.map((key, at) => named(key, `k${at}`)),
    named(rows.valued(argument), "v"),
  ];
  const joins = joinsOfKeptGroups(plan, limited, dialect);
  const pairs = selectRows(read, rows, { joins, groupBy: places(read.length) });
  // NULL comes behind all values, and stays where a group has nothing else.
  const isLast = write.caseOf([[write.isMissing("owned.v"), write.integer(1)]], write.integer(0));
  const hash = unitHash(rows.unitName("owned.u"), [...hashed, hashedKey("owned.v", argument)], dialect);
  const all = ["u", ...keys, "v"];
  const group = columnsOf("owned", ["u", ...keys]);
  const own = write.over(write.count(), { partitionBy: group, orderBy: [] });
  const counted = select([...columnsOf("owned", all), named(own, "own")], rowsOf(pairs, "owned"));
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
