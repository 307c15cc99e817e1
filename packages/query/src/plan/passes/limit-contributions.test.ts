import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { unitContribution } from "../unit-contribution.ts";
import { type LimitedQuestion, limitContributions } from "./limit-contributions.ts";
import { type TrackedQuestion, trackUnit } from "./track-unit.ts";

const policyOf = (groups: number, rows: number, bound = "groups-after-filter"): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits: { file: v.csv, unit: who, max_groups_contributed: ${groups}, max_rows_contributed_per_group: ${rows}, bound: ${bound},
    columns: { who: { type: text }, x: { type: integer, bounds: [0, 9] }, g: { type: text, categories: [a, b] }, city: { type: text } } }
  guests: { file: g.csv, unit: row, columns: { city: { type: text }, g: { type: text, categories: [a, b] } } }
`);

async function tracked(text: string, policy: Policy): Promise<TrackedQuestion> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return trackUnit(question, policy, { epsilon: parseRational("1"), delta: parseRational("1e-6") });
}
const bounded = async (text: string, policy: Policy): Promise<LimitedQuestion> =>
  limitContributions(await tracked(text, policy));
const with_ = (options: string, rest: string): string =>
  `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options}) ${rest}`;
const all = "COUNT(*) FROM visits";
const byCity = "city, COUNT(*) FROM visits GROUP BY city";
const byKind = "g, COUNT(*) FROM visits GROUP BY g";
const refusal = (says: RegExp): object =>
  expect.objectContaining({ code: "query.option", message: expect.stringMatching(says) });

describe("a unit's groups and rows", () => {
  it.each([
    ["one group without GROUP BY", `SELECT ${all}`, { groups: 1, rows: 4, enforced: true }],
    [
      "as many as the policy grants, of groups that are data",
      `SELECT ${byCity}`,
      { groups: 7, rows: 4, choosesGroups: true },
    ],
    ["no more than there are", `SELECT ${byKind}`, { groups: 3, rows: 4 }],
    [
      "fewer where it is asked",
      with_("max_groups_contributed = 2", byCity),
      { groups: 2, rows: 4, choosesGroups: true },
    ],
    [
      "all that there are are chosen from none",
      with_("max_groups_contributed = 3", byKind),
      { groups: 3, rows: 4 },
    ],
    [
      "fewer than there are are chosen",
      with_("max_groups_contributed = 2", byKind),
      { groups: 2, rows: 4, choosesGroups: true },
    ],
    [
      "fewer rows where it is asked",
      with_("max_rows_contributed_per_group = 1", byCity),
      { groups: 7, rows: 1, choosesGroups: true },
    ],
    [
      "exactly what is granted may be asked",
      with_("max_rows_contributed_per_group = 4", byCity),
      { groups: 7, rows: 4, choosesGroups: true },
    ],
  ])("are %s", async (_, text, due) => {
    const { contribution } = await bounded(text, policyOf(7, 4));
    expect(contribution).toEqual({
      limit: "groups-after-filter",
      enforced: true,
      choosesGroups: false,
      ...due,
    });
  });

  it("are one where each row is a unit, and nothing is chosen or enforced", async () => {
    const { contribution } = await bounded("SELECT city, COUNT(*) FROM guests GROUP BY city", policyOf(7, 4));
    expect(contribution).toEqual({
      limit: "groups-after-filter",
      groups: 1,
      rows: 1,
      enforced: false,
      choosesGroups: false,
    });
  });

  it.each([
    ["max_groups_contributed = 8", /above the policy's 7/],
    ["max_rows_contributed_per_group = 5", /above the policy's 4/],
  ])("are not raised: %s", async (options, says) => {
    await expect(bounded(with_(options, byCity), policyOf(7, 4))).rejects.toThrow(refusal(says));
  });

  it.each([
    ["in as many groups as there may be", 7, 4, byCity, 21, { groups: 7, rows: 3 }],
    ["in no more groups than rows", 7, 4, byCity, 3, { groups: 3, rows: 1 }],
    ["in one group where there is one", 7, 4, all, 3, { groups: 1, rows: 3 }],
    ["in no more rows of a group than the policy grants", 7, 4, byKind, 28, { groups: 3, rows: 4 }],
    [
      "beside fewer rows in each group",
      7,
      4,
      `${byCity}`,
      28,
      { groups: 7, rows: 2 },
      ", max_rows_contributed_per_group = 2",
    ],
  ])("a limit on all rows is kept %s", async (_, groups, rows, rest, most, limits, further = "") => {
    const { contribution } = await bounded(
      with_(`max_rows_contributed = ${most}${further}`, rest),
      policyOf(groups, rows),
    );
    expect(contribution).toMatchObject(limits);
    expect(contribution.groups * contribution.rows).toBeLessThanOrEqual(most);
  });

  it.each([
    ["max_rows_contributed = 29", /above the policy's 28/],
    ["max_rows_contributed = 4, max_groups_contributed = 2", /two ways to limit the same/],
  ])("a limit on all rows is refused: %s", async (options, says) => {
    await expect(bounded(with_(options, byCity), policyOf(7, 4))).rejects.toThrow(refusal(says));
  });

  it("public groups with few units are left out by their noisy number", async () => {
    const { keys, question } = await bounded(
      with_("min_privacy_units_per_group = 5", byKind),
      policyOf(7, 4),
    );
    expect(keys.kind).toBe("public");
    expect(question.aggregates.map(({ kind }) => kind)).toEqual(["count", "count-units"]);
    expect(question.post.having).toMatchObject({
      operator: ">=",
      args: [
        { kind: "aggregate", aggregate: "COUNT(DISTINCT unit)" },
        { kind: "literal", value: 5 },
      ],
    });
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])("are whole numbers of at least 1, not %d", async (wrong) => {
    const question = await tracked(`SELECT ${byCity}`, policyOf(7, 4));
    for (const name of ["maxGroupsContributed", "maxRowsPerGroup"]) {
      const options = { ...question.options, [name]: wrong };
      expect(() => limitContributions({ ...question, options }), name).toThrow(
        refusal(/an integer of at least 1/),
      );
    }
  });

  it("are at most 100,000 groups and 2^20 rows, and of bounded rows 2^20 in all", async () => {
    const [most, many] = [2 ** 20, 100_000];
    const ends = async (text: string, policy: Policy): Promise<readonly number[]> => {
      const { contribution } = await bounded(text, policy);
      return [contribution.groups, contribution.rows];
    };
    expect(await ends(`SELECT ${byCity}`, policyOf(many, most))).toEqual([many, most]);
    await expect(bounded(`SELECT ${byCity}`, policyOf(many + 1, 1))).rejects.toThrow(
      refusal(/at most 100000 groups/),
    );
    await expect(bounded(`SELECT ${byCity}`, policyOf(1, most + 1))).rejects.toThrow(
      refusal(/at most 1048576 rows to a group/),
    );
    const before = (groups: number, rows: number): Policy => policyOf(groups, rows, "rows-before-filter");
    expect(await ends(`SELECT ${byCity}`, before(1024, 1024))).toEqual([1024, 1024]);
    await expect(bounded(`SELECT ${byCity}`, before(1024, 1025))).rejects.toThrow(
      expect.objectContaining({ fix: "state max_rows_contributed_per_group of at most 1024" }),
    );
    await expect(bounded(`SELECT ${byCity}`, before(1025, 1024))).rejects.toThrow(
      expect.objectContaining({ fix: "state max_rows_contributed_per_group of at most 1023" }),
    );
    // Rows that are bounded before the filter choose no groups.
    expect((await bounded(`SELECT ${byCity}`, before(2, 3))).contribution).toEqual({
      ...{ limit: "rows-before-filter", groups: 2, rows: 3, enforced: true, choosesGroups: false },
    });
  });
});

describe("whether keys are public", () => {
  const keys = async (text: string): Promise<unknown> => (await bounded(text, policyOf(7, 4))).keys;
  it("follows from the policy, unless a private selection is asked", async () => {
    expect(await keys(`SELECT ${all}`)).toEqual({ kind: "none" });
    expect(await keys(`SELECT ${byCity}`)).toEqual({ kind: "private" });
    expect(await keys(`SELECT ${byKind}`)).toEqual({ kind: "public", declared: [["a"], ["b"], [null]] });
    expect(await keys(with_("group_selection_strategy = private", byKind))).toEqual({ kind: "private" });
    expect(await keys(with_("group_selection_strategy = public", byKind))).toMatchObject({ kind: "public" });
  });
  it.each([
    ["group_selection_strategy = public", byCity, /the keys of .*city.* are not public/],
    ["group_selection_strategy = private", all, /there is no GROUP BY/],
    ["min_privacy_units_per_group = 5", all, /there is no GROUP BY/],
  ])("is refused with %s", async (options, rest, says) => {
    await expect(keys(with_(options, rest))).rejects.toThrow(refusal(says));
  });
  it("may be asked of groups that are selected", async () => {
    expect(await keys(with_("min_privacy_units_per_group = 5", byCity))).toEqual({ kind: "private" });
  });
});

describe("how far a unit reaches", () => {
  const of = (limit: "groups-after-filter" | "rows-before-filter", groups: number, rows: number) =>
    unitContribution({ limit, groups, rows });
  it("is r rows in each of k groups, or k·r in all", () => {
    expect(of("groups-after-filter", 5, 3)).toEqual({ rows: 3, groups: 5, fullGroups: 5 });
    expect(of("rows-before-filter", 5, 3)).toEqual({ rows: 15, groups: 15, fullGroups: 1 });
    expect(of("rows-before-filter", 0, 3)).toEqual({ rows: 0, groups: 0, fullGroups: 0 });
    expect(of("rows-before-filter", 1, 1)).toEqual({ rows: 1, groups: 1, fullGroups: 1 });
  });
});
