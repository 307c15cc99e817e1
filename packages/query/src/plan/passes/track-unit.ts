import { LetheError } from "@lethe/core";
import { writeColumn } from "../../expressions/write-sql.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Adjacency, ContributionPolicy, Policy } from "../../policy/policy.ts";
import { sharesUnits } from "../../policy/unit-path.ts";
import { refuse } from "../../refusals/refuse.ts";
import { ownsOneRow } from "../../relations/owns-one-row.ts";
import { type Relation, tablesOf, unitNames } from "../../relations/relation.ts";
import type { QuestionOptions, ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { hasTarget, mergeOptions, type PlanOptions } from "../merge-options.ts";
import type { PlannedUnit } from "../plan.ts";

/** The question with the unit of its rows, and its options settled. */
export interface TrackedQuestion {
  readonly question: ResolvedQuery;
  readonly policy: Policy;
  readonly unit: PlannedUnit;
  /** The contribution that the policy allows one unit. */
  readonly granted: ContributionPolicy;
  /**
   * Whether every unit of every data set has rows in what the question reads, before its WHERE: it reads the policy's one private
   * table, and nothing else.
   */
  readonly everyUnitHasRows: boolean;
  readonly options: QuestionOptions;
  readonly adjacency: Adjacency;
}

/**
 * Finds whom the question's rows belong to. Errors: query.unknown-table; query.option where the options contradict each
 * other or name another unit than the policy's.
 */
export function trackUnit(question: ResolvedQuery, policy: Policy, stated: PlanOptions): TrackedQuestion {
  const { from } = question;
  const tables = tablesOf(from);
  const unknown = tables.find(({ table }) => !Object.hasOwn(policy.tables, table));
  if (unknown)
    refuse(
      "query.unknown-table",
      `the policy has no table ${unknown.table}`,
      "ask a table that the policy names",
    );
  const options = mergeOptions(question.options, stated);
  if (hasTarget(options))
    throw new LetheError("internal.invariant", "a target error was to become an ε before planning", {
      fix: "plan the question with planAsked",
    });
  const names = unitNames(from);
  if (options.privacyUnitColumn !== null && !names?.includes(options.privacyUnitColumn)) {
    refuse(
      "query.option",
      `privacy_unit_column must name the policy's unit of ${tables.map(({ table }) => table).join(", ")}`,
      names === null
        ? "leave privacy_unit_column out: each row is a unit"
        : names[0] === undefined
          ? "leave privacy_unit_column out"
          : `write privacy_unit_column = ${names[0]}, or leave it out`,
    );
  }
  const unit = unitOf(from, policy);
  return {
    question,
    policy,
    unit,
    granted: grantOf(from, policy),
    everyUnitHasRows: from.kind === "table" && unit.shared !== true,
    options,
    adjacency: policy.privacyUnit.adjacency,
  };
}

/** Returns the unit to which every row of a relation belongs. Errors: internal.invariant where the rows are nobody's. */
function unitOf(from: Relation, policy: Policy): PlannedUnit {
  const owned = tablesOf(from).find(({ unit }) => unit.kind !== "public");
  if (!owned || owned.unit.kind === "public")
    throw new LetheError("internal.invariant", "the rows of the question are nobody's", {
      fix: "report this with the question asked",
    });
  const shared = sharesUnits(policy) ? ({ shared: true } as const) : {};
  if (owned.unit.kind === "row" || ownsOneRow(from)) return { kind: "row", ...shared };
  const { names } = owned.unit;
  const column =
    from.kind === "table" && names.table === from.table
      ? names.column
      : writeColumn({ source: names.table, name: names.column });
  return { kind: "column", column, ...shared };
}

/**
 * Returns the most that the tables of a join grant: the largest limits of any of them. Where a unit's rows were made into one,
 * that one is all.
 */
function grantOf(from: Relation, policy: Policy): ContributionPolicy {
  const limits = tablesOf(from).map(({ table }) => entryOf(policy.tables, table).contribution.limit);
  const grants = grantsOf(from, policy);
  return {
    maxGroups: Math.max(...grants.map(({ maxGroups }) => maxGroups)),
    maxRowsPerGroup: Math.max(...grants.map(({ maxRowsPerGroup }) => maxRowsPerGroup)),
    limit: limits.includes("rows-before-filter") ? "rows-before-filter" : "groups-after-filter",
  };
}

function grantsOf(
  from: Relation,
  policy: Policy,
): readonly Pick<ContributionPolicy, "maxGroups" | "maxRowsPerGroup">[] {
  if (ownsOneRow(from)) return [{ maxGroups: 1, maxRowsPerGroup: 1 }];
  switch (from.kind) {
    case "table":
      return from.unit.kind === "public" ? [] : [entryOf(policy.tables, from.table).contribution];
    case "join":
      return [...grantsOf(from.left, policy), ...grantsOf(from.right, policy)];
    case "list":
      return [];
    case "union":
      return from.parts.flatMap(({ of }) => grantsOf(of, policy));
    case "filter":
    case "semijoin":
    case "marked":
    case "grouped":
    case "windowed":
      return grantsOf(from.of, policy);
  }
}
