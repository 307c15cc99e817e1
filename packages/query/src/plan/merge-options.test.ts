import { parseRational, ratio } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { QuestionOptions } from "../resolve/names/resolved-query.ts";
import { refusalOf } from "../testing/refusal-of.ts";
import { hasTarget, mergeOptions } from "./merge-options.ts";

const none: QuestionOptions = {
  epsilon: null,
  delta: null,
  maxGroupsContributed: null,
  maxRowsContributed: null,
  maxRowsPerGroup: null,
  groupSelection: null,
  everyPublicKey: null,
  mechanism: null,
  privacyUnitColumn: null,
  minPrivacyUnitsPerGroup: null,
  targetError: null,
  targetErrorRelative: null,
  targetRelease: null,
  pilotEpsilon: null,
  maxEpsilon: null,
  targetRows: null,
  advantage: null,
  acceptUninformative: null,
};

const half = (): object => parseRational("0.5");
const third = (): object => parseRational("1/3");

/** Each option by its name in OPTIONS, with two values that differ. Rationals are made anew: equal ones need not be the same. */
const options: readonly [keyof QuestionOptions, string, () => unknown, () => unknown][] = [
  ["epsilon", "epsilon", half, third],
  ["delta", "delta", half, third],
  ["maxGroupsContributed", "max_groups_contributed", () => 2, () => 3],
  ["maxRowsPerGroup", "max_rows_contributed_per_group", () => 2, () => 3],
  ["groupSelection", "group_selection_strategy", () => "public", () => "private"],
  ["mechanism", "mechanism", () => "laplace", () => "gaussian"],
  ["privacyUnitColumn", "privacy_unit_column", () => "id", () => "ID"],
  ["minPrivacyUnitsPerGroup", "min_privacy_units_per_group", () => 2, () => 3],
  ["targetError", "target_error", half, third],
  ["targetErrorRelative", "target_error_relative", half, third],
  ["targetRelease", "target_release", () => "q1", () => "q2"],
  ["pilotEpsilon", "pilot_epsilon", half, third],
  ["maxEpsilon", "max_epsilon", half, third],
  ["targetRows", "target_rows", () => 2, () => 3],
  ["advantage", "advantage", half, third],
  ["acceptUninformative", "accept_uninformative", () => false, () => true],
];

describe.each(options)("%s", (key, name, one, other) => {
  it("is what the text or the caller says, or both alike", () => {
    expect(mergeOptions({ ...none, [key]: one() }, {})).toEqual({ ...none, [key]: one() });
    expect(mergeOptions(none, { [key]: one() })).toEqual({ ...none, [key]: one() });
    expect(mergeOptions({ ...none, [key]: one() }, { [key]: null })).toEqual({ ...none, [key]: one() });
    expect(mergeOptions({ ...none, [key]: one() }, { [key]: undefined })).toEqual({ ...none, [key]: one() });
    expect(mergeOptions({ ...none, [key]: one() }, { [key]: one() })).toEqual({ ...none, [key]: one() });
  });

  it("is refused where they contradict each other", async () => {
    for (const [text, beside] of [
      [one(), other()],
      [other(), one()],
    ]) {
      const error = await refusalOf(
        (async () => mergeOptions({ ...none, [key]: text }, { [key]: beside }))(),
      );
      expect([error.code, error.message, error.fix]).toEqual([
        "query.option",
        `${name} is stated twice, with two values`,
        `state ${name} in the question's OPTIONS or beside it, not in both`,
      ]);
    }
  });
});

it("nothing is stated where nobody states anything", () => {
  expect(mergeOptions(none, {})).toEqual(none);
});

it("a target is any part of one", () => {
  const parts = new Set([
    "targetError",
    "targetErrorRelative",
    "targetRelease",
    "pilotEpsilon",
    "maxEpsilon",
    "targetRows",
    "advantage",
  ]);
  expect(hasTarget(none)).toBe(false);
  for (const [key, , one] of options) expect(hasTarget({ ...none, [key]: one() }), key).toBe(parts.has(key));
  expect(hasTarget({ ...none, targetError: ratio(0n) })).toBe(true);
});
