import type { Plan, Policy, RowLimit, TableRelation } from "@lethe/query";
import { tables } from "../derive/rows-of-units.ts";
import { joinsRows, rowsJoined } from "../joins/joined-rows.ts";
import { failed, passed, type Verdict, verdict } from "./check.ts";

/** The most joined rows that one private row may stand in, whatever is asked. */
const mostJoined = 1000;

/** Checks that one private row stands in no more joined rows than the plan says, and never in more than a constant. */
export function joinedRowsHold(plan: Plan): Verdict {
  const relation = plan.from;
  const amiss = [...tables(relation)].flatMap(limitsOfOthers);
  if (!joinsRows(relation)) {
    if (plan.joinedRows !== undefined) amiss.push("joined rows are stated where nothing is joined");
    return verdict(amiss, "nothing is joined");
  }
  if (plan.joinedRows === undefined) return failed("how many joined rows one row may stand in is not stated");
  const asked =
    plan.where === null ? relation : ({ kind: "filter", of: relation, where: plan.where } as const);
  const derived = rowsJoined(asked);
  if (derived > mostJoined) amiss.push("one row may stand in more joined rows than any question may ask for");
  if (derived !== plan.joinedRows)
    amiss.push("one row may stand in more or fewer joined rows than is stated");
  return verdict(amiss, `one row stands in at most ${plan.joinedRows} joined rows`);
}

/** Checks that rows of units are limited within each unit alone, and public rows by public values. */
function limitsOfOthers({ unit, limits = [] }: TableRelation): readonly string[] {
  const within = (per: RowLimit["per"]): boolean =>
    unit.kind === "public"
      ? per === "value" || per === "table"
      : unit.kind === "column" && per.startsWith("unit");
  return limits.every(({ per }) => within(per))
    ? []
    : ["rows of units are limited by what other units' rows hold"];
}

/** Checks that the limits on the tables' rows are those of the policy. */
export function limitsAreThePolicys(plan: Plan, policy: Policy): Verdict {
  const amiss = [...tables(plan.from)].flatMap(({ table, oncePer, limits = [] }) => {
    const stated = Object.hasOwn(policy.tables, table) ? policy.tables[table] : undefined;
    if (stated === undefined) return ["a table is limited that the policy does not have"];
    const { key, joins = {} } = stated;
    const says = (limit: RowLimit): boolean => {
      switch (limit.per) {
        case "table":
          return limit.rows === joins.maxRows;
        case "value":
          return limit.rows === joins.rowsPerKey?.[limit.column];
        case "unit-and-key":
          return limit.column === key && limit.rows === 1;
        case "unit":
          return limit.rows <= (joins.maxRowsBeforeJoin ?? mostJoined);
      }
    };
    return [
      ...(oncePer === null || oncePer === key
        ? []
        : [`${table} is read once for each value of what is no key`]),
      ...(limits.every(says) ? [] : [`${table} is limited otherwise than the policy says`]),
    ];
  });
  return amiss.length === 0 ? passed("tables are limited as the policy says") : verdict(amiss, "");
}
