import { ratio } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { QuestionOptions } from "../../resolve/names/resolved-query.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { checkTarget } from "./check-target.ts";

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
const one = ratio(1n);
const share = { targetErrorRelative: ratio(1n, 20n) };

describe("options that state a target", () => {
  it.each<[string, Partial<QuestionOptions>]>([
    ["a width", { targetError: one }],
    ["a width of groups of so many rows", { targetError: one, targetRows: 5 }],
    ["a share of expected rows", share],
    ["a share of an earlier release", { ...share, targetRelease: "q1" }],
    ["a share of what a capped pilot shows", { ...share, pilotEpsilon: one, maxEpsilon: one }],
    ["a width, beside options that state none", { targetError: one, delta: one, maxGroupsContributed: 3 }],
  ])("may say %s", (_, options) => {
    expect(() => checkTarget({ ...none, ...options })).not.toThrow();
  });

  it.each<[string, Partial<QuestionOptions>, string, string]>([
    [
      "a price beside it",
      { targetError: one, epsilon: one },
      "a price and a target error are stated together, and one follows from the other",
      "leave epsilon out, or the target",
    ],
    [
      "two widths",
      { targetError: one, ...share },
      "two target errors are stated",
      "leave target_error or target_error_relative out",
    ],
    [
      "a release without a share of it",
      { targetError: one, targetRelease: "q1" },
      "target_release and pilot_epsilon say what a relative target is a share of, but no relative target is stated",
      "write target_error = '5%' too, or leave them out",
    ],
    [
      "a pilot without a share of it",
      { targetError: one, pilotEpsilon: one, maxEpsilon: one },
      "target_release and pilot_epsilon say what a relative target is a share of, but no relative target is stated",
      "write target_error = '5%' too, or leave them out",
    ],
    [
      "a release and a pilot",
      { ...share, targetRelease: "q1", pilotEpsilon: one, maxEpsilon: one },
      "a target is a share of an earlier release or of a pilot, not of both",
      "leave target_release or pilot_epsilon out",
    ],
    [
      "a pilot without a cap",
      { ...share, pilotEpsilon: one },
      "nothing limits the price that a pilot may suggest",
      "write max_epsilon = 1 too: the most that the question may cost beside its pilot",
    ],
    [
      "a cap without a pilot",
      { ...share, maxEpsilon: one },
      "max_epsilon limits the price that a pilot suggests, but no pilot is stated",
      "write pilot_epsilon = 0.05 too, or leave max_epsilon out",
    ],
    [
      "a cap of a width",
      { targetError: one, maxEpsilon: one },
      "max_epsilon limits the price that a pilot suggests, but no pilot is stated",
      "write pilot_epsilon = 0.05 too, or leave max_epsilon out",
    ],
    [
      "rows alone",
      { targetRows: 5 },
      "target_rows says for which groups a target is meant, but no target is stated",
      "write target_error = 50 too, or leave target_rows out",
    ],
  ])("are refused with %s", async (_, options, message, fix) => {
    const error = await refusalOf((async () => checkTarget({ ...none, ...options }))());
    expect({ code: error.code, message: error.message, fix: error.fix }).toEqual({
      code: "query.option",
      message,
      fix,
    });
  });
});
