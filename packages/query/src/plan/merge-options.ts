import type { Rational } from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import { refuse } from "../refusals/refuse.ts";
import type { QuestionOptions } from "../resolve/names/resolved-query.ts";

/** The options that the caller of the library states beside the question's own OPTIONS. Where both state one, they must agree. */
export type PlanOptions = Partial<QuestionOptions>;

/** Whether the options state what the price follows from, or a part of it: a target error, or an advantage. */
export function hasTarget(options: QuestionOptions): boolean {
  return options.advantage !== null || hasTargetError(options);
}

/** Whether the options state a target error, or a part of one. */
export function hasTargetError(options: QuestionOptions): boolean {
  const { targetError, targetErrorRelative, targetRelease, pilotEpsilon, maxEpsilon, targetRows } = options;
  const parts = [targetError, targetErrorRelative, targetRelease, pilotEpsilon, maxEpsilon, targetRows];
  return parts.some((part) => part !== null);
}

/** Merges the options of the text and of the caller. Errors: query.option where they contradict each other. */
export function mergeOptions(inText: QuestionOptions, beside: PlanOptions): QuestionOptions {
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
    maxRowsPerGroup: merge(
      "max_rows_contributed_per_group",
      inText.maxRowsPerGroup,
      beside.maxRowsPerGroup,
      plain,
    ),
    groupSelection: merge("group_selection_strategy", inText.groupSelection, beside.groupSelection, plain),
    everyPublicKey: merge("every_public_key", inText.everyPublicKey, beside.everyPublicKey, plain),
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
    targetError: merge("target_error", inText.targetError, beside.targetError, exact),
    targetErrorRelative: merge(
      "target_error_relative",
      inText.targetErrorRelative,
      beside.targetErrorRelative,
      exact,
    ),
    targetRelease: merge("target_release", inText.targetRelease, beside.targetRelease, plain),
    pilotEpsilon: merge("pilot_epsilon", inText.pilotEpsilon, beside.pilotEpsilon, exact),
    maxEpsilon: merge("max_epsilon", inText.maxEpsilon, beside.maxEpsilon, exact),
    targetRows: merge("target_rows", inText.targetRows, beside.targetRows, plain),
    advantage: merge("advantage", inText.advantage, beside.advantage, exact),
    acceptUninformative: merge(
      "accept_uninformative",
      inText.acceptUninformative,
      beside.acceptUninformative,
      plain,
    ),
  };
}
