import { type Plan, type Policy, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { notesOn } from "./notes.ts";

const policyOf = (unit: string, { bound = "groups-after-filter", groups = 2, rows = 4 } = {}): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits:
    file: visits.csv
    unit: ${unit}
${unit === "row" ? "" : `    max_groups_contributed: ${groups}\n    max_rows_contributed_per_group: ${rows}\n    bound: ${bound}\n`}    columns:
      id: { type: text }
      city: { type: text }
      ward: { type: text, categories: [north, south, west], default: west }
      cost: { type: number, bounds: [-10, 50] }
      free: { type: number }
      stay: { type: integer, bounds: [0, 9] }
      level: { type: integer, categories: [1, 2], default: 1 }
`);
const [perRow, perPerson] = [policyOf("row"), policyOf("id")];

const planOf = (text: string, policy = perRow): Promise<Plan> =>
  planText(text, optionsOf({ delta: "1e-6" }), policy);
const notes = async (text: string, policy = perRow): Promise<readonly string[]> =>
  notesOn(await planOf(text, policy));

describe("the note on bounded contributions", () => {
  const beyond =
    "intervals are for the answer within limits and bounds, and do not cover what lies beyond them";
  const first = async (text: string, policy: Policy): Promise<string | undefined> =>
    (await notes(text, policy))[0];
  const byWard = "SELECT ward, COUNT(*) FROM visits GROUP BY ward";

  it("says how many groups and rows count, one or several", async () => {
    const single = policyOf("id", { groups: 1, rows: 1 });
    expect(await first("SELECT COUNT(*) FROM visits", single)).toBe(
      `each unit contributes at most 1 row; ${beyond}`,
    );
    expect(await first("SELECT COUNT(*) FROM visits", perPerson)).toBe(
      `each unit contributes at most 4 rows; ${beyond}`,
    );
    expect(await first(byWard, single)).toBe(
      `each unit contributes to at most 1 group, with at most 1 row in each; ${beyond}`,
    );
    expect(await first(byWard, perPerson)).toBe(
      `each unit contributes to at most 2 groups, with at most 4 rows in each; ${beyond}`,
    );
  });

  it("says how many rows of the table are kept, where that is before the filter", async () => {
    expect(await first(byWard, policyOf("id", { bound: "rows-before-filter", groups: 3 }))).toBe(
      `each unit contributes at most 12 rows of the table, chosen before the filter; ${beyond}`,
    );
  });
});

it("limits on the rows of joined tables are told once each, with the name that the question has for a table", async () => {
  const plan = await planOf("SELECT COUNT(*) FROM visits");
  const table = { kind: "table", unit: { kind: "row" }, oncePer: null, columns: {} } as const;
  const limits = [
    { per: "value", column: "city", rows: 1 },
    { per: "table", rows: 30 },
  ] as const;
  const side = (source: string | null) => ({ ...table, table: "towns", source, limits });
  const join = (left: object, right: object): object => ({
    kind: "join",
    type: "inner",
    keys: [],
    on: null,
    left,
    right,
  });
  const from = join(
    { ...table, table: "visits", source: null },
    join(side("t"), join(side("t"), side("towns"))),
  );
  const { table: _, columns: __, ...body } = plan as Plan & { table: string; columns: object };
  const first = "the first in the order of the columns that it reads";
  const told = notesOn({ ...body, from } as unknown as Plan);
  expect(told).toEqual([
    `of towns as t, the question reads at most 1 row for each city, ${first}; other rows are left out`,
    `of towns as t, the question reads at most 30 rows, ${first}; other rows are left out`,
    `of towns, the question reads at most 1 row for each city, ${first}; other rows are left out`,
    `of towns, the question reads at most 30 rows, ${first}; other rows are left out`,
  ]);
  expect(notesOn({ ...body, from: side(null) } as unknown as Plan)).toEqual(told.slice(2));
});

describe("the note on learned bounds", () => {
  it("says the bounds, and the loss of learning them, rounded up to six digits", async () => {
    const plan = await planOf("SELECT SUM(free, contribution_bounds_per_row => auto) FROM visits");
    const [stage] = plan.learned!.stages;
    const priced = (changed: object): string | undefined => {
      const stages = [{ ...stage!, bounds: [-8, 64], ...changed }];
      return notesOn({ ...plan, learned: { ...plan.learned!, stages } } as unknown as Plan).find((note) =>
        note.startsWith("the bounds of"),
      );
    };
    const at = (loss: string): string =>
      `the bounds of free, -8 to 64, were learned from noisy counts over all groups, for ${loss} of the price; intervals do not cover what lies beyond them`;
    const laplace = (scale: string) => ({ noise: { mechanism: "discrete-laplace@1", scale }, l1: "2" });
    expect(priced(laplace("8"))).toBe(at("ε 0.25"));
    expect(priced(laplace("3"))).toBe(at("ε 0.666667"));
    // ρ = ℓ₂²/(2σ²) = 3/(2·16)
    const gaussian = { noise: { mechanism: "rounded-gaussian@1", sigma: "4" }, l2Squared: "3" };
    expect(priced(gaussian)).toBe(at("ρ 0.09375"));
    const discrete = { noise: { mechanism: "discrete-gaussian@1", sigmaSquared: "16" }, l2Squared: "3" };
    expect(priced(discrete)).toBe(at("ρ 0.09375"));
    expect(priced({ noise: { mechanism: "constant@1" } })).toBe(at("none"));
  });
});

describe("the notes on totals", () => {
  it("say of how many noisy groups a sum is made, where groups add up", async () => {
    expect(await notes("SELECT ward, level, COUNT(*) FROM visits GROUP BY ROLLUP(ward, level)")).toEqual([
      "totals are sums of up to 6 noisy groups by ward, level, and count only what units contribute to these; the more groups a total has, the wider is its interval",
    ]);
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY GROUPING SETS ((ward), (ward))")).toEqual(
      [],
    );
  });

  it("say that totals are measured by themselves where keys are data, and which of them are still sums", async () => {
    const measured = (keys: string): readonly string[] => [
      `each total is measured by itself over all groups by ${keys}, released or not, and counts only what units contribute to these; a total is listed if one of its groups is released`,
      "(other) is the total minus its released groups, so that groups and (other) add up to the total; it has the noise of all of them",
    ];
    const chosen = "group keys are data: small groups may be missing, and a missing group is never named";
    expect(await notes("SELECT city, ward, COUNT(*) FROM visits GROUP BY ROLLUP(city, ward)")).toEqual([
      ...measured("city, ward"),
      chosen,
    ]);
    expect(await notes("SELECT ward, city, COUNT(*) FROM visits GROUP BY CUBE(ward, city)")).toEqual([
      ...measured("ward, city"),
      "totals by public keys alone are sums of up to 3 noisy groups; the more groups a total has, the wider is its interval",
      chosen,
    ]);
  });
});

describe("the note on distinct values", () => {
  const counted = async (text: string, policy = perPerson): Promise<readonly string[]> =>
    (await notes(text, policy)).filter((note) => note.startsWith("COUNT(DISTINCT"));
  const picked = "chosen by a keyed hash; if a unit has more, the count can only become too small";

  it("says of what, with its filter, and how many a unit brings", async () => {
    expect(
      await counted("SELECT ward, COUNT(DISTINCT city) FILTER (WHERE stay > 3) FROM visits GROUP BY ward"),
    ).toEqual([
      `COUNT(DISTINCT city) FILTER (WHERE stay > 3) uses at most 4 values of each unit in a group, ${picked}`,
    ]);
    expect(await counted("SELECT COUNT(DISTINCT city) FROM visits", policyOf("id", { rows: 1 }))).toEqual([
      `COUNT(DISTINCT city) uses at most 1 value of each unit, ${picked}`,
    ]);
  });

  it("calls no CASE a filter that has several branches or another value", async () => {
    for (const chosen of [
      "CASE WHEN stay > 3 THEN city WHEN stay > 2 THEN ward ELSE NULL END",
      "CASE WHEN stay > 3 THEN city ELSE 'a' END",
      "CASE WHEN stay > 3 THEN city ELSE ward END",
    ])
      expect(await counted(`SELECT COUNT(DISTINCT ${chosen}) FROM visits`)).toEqual([
        expect.stringContaining(`COUNT(DISTINCT ${chosen}) uses at most`),
      ]);
  });

  it("is none where a unit has one row", async () => {
    expect(await counted("SELECT COUNT(DISTINCT city) FROM visits", perRow)).toEqual([]);
  });
});

it("MIN and MAX are told to be quantiles, with their filter; a quantile that was asked for is not", async () => {
  const told = await notes("SELECT MIN(cost), MAX(stay) FILTER (WHERE level = 1), MEDIAN(stay) FROM visits");
  expect(told.slice(2)).toEqual([
    "MIN(cost) is answered by the 0.01 quantile, PERCENTILE_CONT(cost, 0.01); the lowest value belongs to one row and is never shown",
    "MAX(stay) FILTER (WHERE level = 1) is answered by the 0.99 quantile, PERCENTILE_CONT(stay, 0.99) FILTER (WHERE level = 1); the highest value belongs to one row and is never shown",
  ]);
});

it("computed numbers and labels are named, but not those of keys alone", async () => {
  const told = await notes(
    `SELECT COUNT(*) * 2 AS n, CASE WHEN ward = 'north' THEN 1 ELSE 2 END AS k, COUNT(*) > 3 AS "a ""b", COUNT(*) + 1 AS m, ward = 'north' AS w FROM visits GROUP BY ward`,
  );
  expect(told).toEqual([
    '"n", "m" are computed from released values; an interval is for the same computation on the exact aggregates within limits and bounds, and is missing where the noise leaves it unbounded',
    '"a \\"b" is computed from noisy values and without an interval; the exact values might give another result',
  ]);
});

describe("the note on a choice by noisy values", () => {
  const chosen = async (rest: string): Promise<boolean> =>
    (await notes(`SELECT ward, COUNT(*) FROM visits GROUP BY ward ${rest}`)).some((note) =>
      note.startsWith(
        "rows were chosen by their noisy values; the confidence of an interval holds for a group named beforehand",
      ),
    );

  it.each([
    ["HAVING COUNT(*) > 3 OR ward = 'north'", true],
    ["HAVING ward = 'north'", false],
    ["ORDER BY 2", false],
    ["ORDER BY 2 OFFSET 0", false],
    ["ORDER BY 2 OFFSET 1", true],
    ["ORDER BY 2 LIMIT 1", true],
    ["ORDER BY ward, 2 LIMIT 1", true],
    ["ORDER BY ward OFFSET 1", false],
    ["HAVING ward = 'north' ORDER BY 2 LIMIT 5", true],
  ])("%s: %s", async (rest, due) => {
    expect(await chosen(rest)).toBe(due);
  });
});

describe("the note on texts that are no categories", () => {
  const told = async (condition: string): Promise<readonly string[]> =>
    (await notes(`SELECT SUM(cost) FROM visits WHERE ${condition}`)).filter((note) =>
      note.includes(" is no "),
    );

  it("names each once, wherever its list stands", async () => {
    const note = "'Harbour' is no declared category of ward, so no row matches it";
    expect(await told("ward IN ('north', 'Harbour', 'Harbour')")).toEqual([note]);
    expect(await told("ward = 'Harbour' OR ward = 'north' OR ward = 'a''bcdef'")).toEqual([
      note,
      "'a''bcdef' is no declared category of ward, so no row matches it",
    ]);
    expect(await told("ward NOT IN ('north', 'Harbour') AND stay > 2")).toEqual([note]);
    const filtered = "SELECT COUNT(*) FILTER (WHERE ward IN ('south', 'Harbour')) FROM visits";
    expect(await notes(filtered)).toContain(note);
    const keyed =
      "SELECT CASE WHEN ward IN ('south', 'Harbour') THEN 1 ELSE 2 END AS side, COUNT(*) FROM visits GROUP BY 1";
    expect(await notes(keyed)).toContain(note);
  });
  it("speaks of values where a text is computed", async () => {
    expect(await told("UPPER(ward) IN ('NORTH', 'Harbour')")).toEqual([
      "'Harbour' is no value of UPPER(ward), so no row matches it",
    ]);
  });
  it("is silent on categories, on NULL, and on texts without categories", async () => {
    expect(await told("ward IN ('north', 'south', NULL) OR city IN ('Oslo', 'x')")).toEqual([]);
  });
});
