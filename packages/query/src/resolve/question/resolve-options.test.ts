import { parseRational } from "@lethe/core";
import { describe, expect, it, test } from "vitest";
import type { StatedOption } from "../../parse/parsed-question.ts";
import type { QuestionOptions } from "../names/resolved-query.ts";
import { isPercentage, resolveOptions } from "./resolve-options.ts";

const option = (name: string, value: string, kind: StatedOption["kind"] = "number"): StatedOption => ({
  name,
  value,
  kind,
  offset: 7,
});
const read = (...options: readonly StatedOption[]): QuestionOptions => resolveOptions(options, ["id"]);

it("an option that is not stated is null", () => {
  const values = Object.values(read());
  expect(values).toHaveLength(18);
  expect(new Set(values)).toEqual(new Set([null]));
});

describe("a stated option is read as it is meant", () => {
  test.each<[StatedOption, Partial<QuestionOptions>]>([
    [option("delta", "0"), { delta: parseRational("0") }],
    [option("delta", "0.999"), { delta: parseRational("0.999") }],
    [option("epsilon", "1/3", "text"), { epsilon: parseRational("1/3") }],
    [option("max_groups_contributed", "1"), { maxGroupsContributed: 1 }],
    [option("max_rows_contributed_per_group", "999999999"), { maxRowsPerGroup: 999_999_999 }],
    [option("target_error", "5%", "text"), { targetErrorRelative: parseRational("0.05"), targetError: null }],
    [option("target_error", "5"), { targetError: parseRational("5"), targetErrorRelative: null }],
    [option("target_release", "a", "text"), { targetRelease: "a" }],
    [option("advantage", "0.1"), { advantage: parseRational("1/10"), epsilon: null }],
    [option("accept_uninformative", "TRUE", "word"), { acceptUninformative: true }],
    [option("accept_uninformative", "false", "word"), { acceptUninformative: false }],
    [option("group_selection_strategy", "PRIVATE", "word"), { groupSelection: "private" }],
    [option("group_selection_strategy", "laplace_threshold", "word"), { groupSelection: "private" }],
    [option("group_selection_strategy", "public", "word"), { groupSelection: "public" }],
    [option("group_selection_strategy", "public_groups", "word"), { groupSelection: "public" }],
    [option("privacy_unit_column", "ID", "text"), { privacyUnitColumn: "id" }],
  ])("%j", (stated, expected) => expect(read(stated)).toMatchObject(expected));

  it("a share is written in hundredths behind the number alone", () => {
    expect([isPercentage("5%"), isPercentage("%5"), isPercentage("5")]).toEqual([true, false, false]);
  });
});

describe("what an option cannot be is refused at its place", () => {
  const refused =
    (units: readonly string[] | null, ...options: readonly StatedOption[]) =>
    (): QuestionOptions =>
      resolveOptions(options, units);
  const because = (message: RegExp, fix: RegExp): unknown =>
    expect.objectContaining({
      code: "query.option",
      message: expect.stringMatching(message),
      fix: expect.stringMatching(fix),
      offset: 7,
    });

  test.each<[StatedOption, RegExp, RegExp]>([
    [option("epsilon", "one", "word"), /above 0$/, /epsilon = 0\.5 or 1e-6, whatever is above 0$/],
    [option("epsilon", "0", "text"), /above 0$/, /epsilon/],
    [option("epsilon", "1/0", "text"), /above 0$/, /epsilon/],
    [option("delta", "1"), /at least 0 and below 1$/, /delta/],
    [option("delta", "-1e-9"), /at least 0 and below 1$/, /delta/],
    [option("pilot_epsilon", "0"), /above 0$/, /pilot_epsilon/],
    [option("max_epsilon", "-1"), /above 0$/, /max_epsilon/],
    [option("target_error_relative", "0"), /above 0$/, /target_error_relative/],
    [option("target_rows", "0"), /at least 1$/, /target_rows = 1$/],
    [option("target_rows", "1e3"), /at least 1$/, /target_rows = 1$/],
    [option("max_groups_contributed", "-1"), /at least 1$/, /max_groups_contributed = 1$/],
    [
      option("max_rows_contributed_per_group", "1000000000"),
      /at least 1$/,
      /max_rows_contributed_per_group = 1$/,
    ],
    [
      option("max_rows_contributed_per_group", "5", "text"),
      /at least 1$/,
      /max_rows_contributed_per_group = 1$/,
    ],
    [option("target_release", "", "text"), /the id of a request/, /target_release = 'the id/],
    [option("target_release", "a", "word"), /the id of a request/, /target_release = 'the id/],
    [option("mechanism", "gausian", "word"), /cannot be "gausian"/, /did you mean "gaussian"/],
    [option("epsilo", "1"), /there is no option epsilo$/, /did you mean "epsilon"/],
    [
      option("privacy_unit_column", "age", "word"),
      /not choose another/,
      /^write privacy_unit_column = id, or leave/,
    ],
  ])("%j", (stated, message, fix) => expect(refused(["id"], stated)).toThrow(because(message, fix)));

  it("a unit that no column names is not named", () => {
    const named = option("privacy_unit_column", "id", "word");
    expect(refused(null, named)).toThrow(because(/each row is one unit/, /leave privacy_unit_column out/));
    expect(refused([], named)).toThrow(because(/not choose another/, /^leave it out$/));
  });

  it("a target error is stated once", () => {
    const [share, number] = [option("target_error", "5%", "text"), option("target_error", "5")];
    const relative = option("target_error_relative", "0.1");
    expect(refused(["id"], share, relative)).toThrow(/two target errors/);
    expect(read(number, relative)).toMatchObject({
      targetError: parseRational("5"),
      targetErrorRelative: parseRational("0.1"),
    });
  });
});
