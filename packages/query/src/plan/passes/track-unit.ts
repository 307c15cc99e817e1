import { compare, type Rational } from "@lethe/core";
import type { BoundQuery, QuestionOptions } from "../../bind/bound-query.ts";
import { refuse } from "../../bind/refuse.ts";
import type { Adjacency, Policy, TablePolicy } from "../../policy/policy.ts";

/** What the caller of the library says beside the question's own OPTIONS; what both state must agree. */
export type PlanOptions = Partial<QuestionOptions>;

/** The question with its table, whose unit is known and whose options are settled. */
export interface TrackedQuestion {
  readonly question: BoundQuery;
  readonly policy: Policy;
  readonly table: TablePolicy;
  readonly options: QuestionOptions;
  readonly adjacency: Adjacency;
}

/**
 * Finds whom the question's table protects. Errors: query.unknown-table; query.option where the options contradict each
 * other or name another unit than the policy's.
 */
export function trackUnit(question: BoundQuery, policy: Policy, stated: PlanOptions): TrackedQuestion {
  const table = Object.hasOwn(policy.tables, question.table) ? policy.tables[question.table] : undefined;
  if (!table)
    refuse(
      "query.unknown-table",
      `no table ${question.table} in the policy`,
      "ask a table that the policy names",
    );
  const options = mergeOptions(question.options, stated);
  const unitColumn = table.unit.kind === "column" ? table.unit.column : null;
  if (options.privacyUnitColumn !== null && options.privacyUnitColumn !== unitColumn) {
    refuse(
      "query.option",
      `privacy_unit_column must name the policy's unit of ${question.table}`,
      unitColumn === null
        ? "leave privacy_unit_column out: each row is a unit"
        : `write privacy_unit_column = ${unitColumn}, or leave it out`,
    );
  }
  return { question, policy, table, options, adjacency: policy.privacyUnit.adjacency };
}

function mergeOptions(inText: QuestionOptions, beside: PlanOptions): QuestionOptions {
  const merge = <T>(
    name: string,
    a: T | null,
    b: T | null | undefined,
    same: (a: T, b: T) => boolean,
  ): T | null => {
    if (a === null) return b ?? null;
    if (b === null || b === undefined || same(a, b)) return a;
    return refuse(
      "query.option",
      `${name} is stated twice, with two values`,
      `state ${name} in the question's OPTIONS or beside it, not in both`,
    );
  };
  const plain = <T>(a: T, b: T): boolean => a === b;
  const exact = (a: Rational, b: Rational): boolean => compare(a, b) === 0;
  return {
    epsilon: merge("epsilon", inText.epsilon, beside.epsilon, exact),
    delta: merge("delta", inText.delta, beside.delta, exact),
    maxGroupsContributed: merge(
      "max_groups_contributed",
      inText.maxGroupsContributed,
      beside.maxGroupsContributed,
      plain,
    ),
    maxRowsContributed: merge(
      "max_rows_contributed",
      inText.maxRowsContributed,
      beside.maxRowsContributed,
      plain,
    ),
    groupSelection: merge("group_selection_strategy", inText.groupSelection, beside.groupSelection, plain),
    mechanism: merge("mechanism", inText.mechanism, beside.mechanism, plain),
    privacyUnitColumn: merge(
      "privacy_unit_column",
      inText.privacyUnitColumn,
      beside.privacyUnitColumn,
      plain,
    ),
    minPrivacyUnitsPerGroup: merge(
      "min_privacy_units_per_group",
      inText.minPrivacyUnitsPerGroup,
      beside.minPrivacyUnitsPerGroup,
      plain,
    ),
  };
}
