import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { type PlanOptions, planQuestion } from "../plan/index.ts";
import { type Policy, readPolicy } from "../policy/index.ts";
import { plural } from "../refusals/plural.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { explainPlan } from "./explain-plan.ts";
import type { Explanation, ExplanationNode } from "./explanation.ts";
import { limitWords } from "./limit-words.ts";

const policyOf = (adjacency: string): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer }, town: { type: text }, age: { type: integer, bounds: [0, 99] }, wild: { type: number } } }
  visits: { file: a.duckdb, unit: { through: person, references: people.id }, key: visit,
    max_groups_contributed: 2, max_rows_contributed_per_group: 3, max_rows_before_join: 5,
    columns: { visit: { type: text }, person: { type: integer }, code: { type: text }, cost: { type: number, bounds: [0, 60] } } }
  codes: { file: a.duckdb, public: true, key: code, rows_per_key: { kind: 4 }, columns: { code: { type: text }, kind: { type: text, categories: [x, y] } } }
  guests: { file: a.duckdb, unit: row, columns: { town: { type: text }, code: { type: text, categories: [p, q], default: p }, size: { type: integer, bounds: [0, 9] } } }
  early: { file: a.duckdb, unit: who, limit: rows-before-filter, max_groups_contributed: 2, max_rows_contributed_per_group: 3,
    columns: { who: { type: text }, g: { type: text, categories: [a, b, c] }, x: { type: integer, bounds: [0, 9] } } }
`);
const added = policyOf("add-or-remove-one");
const replaced = policyOf("replace-one");

async function explained(text: string, policy = added, more: PlanOptions = {}): Promise<Explanation> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return explainPlan(
    planQuestion(question, policy, { epsilon: parseRational("1"), ...more }, "hash"),
    policy,
  );
}

/** A line for each node, each child indented: its label and details, and the rows and groups that one unit changes. */
function lines({ label, details, stability, children }: ExplanationNode, indent = ""): readonly string[] {
  const change = stability === null ? "" : ` ±${stability.rows ?? "any"}/${stability.groups ?? "any"}`;
  return [
    `${indent}${label}: ${details.join("; ")}${change}`,
    ...children.flatMap((child) => lines(child, `${indent} `)),
  ];
}
const tree = async (text: string, policy = added): Promise<readonly string[]> =>
  lines((await explained(text, policy)).tree);
/** Those from the bounded contributions on. */
const belowNoise = async (text: string, policy = added): Promise<readonly string[]> =>
  (await tree(text, policy)).slice(2);

describe("the tree of a question over rows of units", () => {
  it("goes from the answer to what is read, with what one unit changes on the way", async () => {
    const text = "SELECT COUNT(*) AS n, SUM(cost) AS total FROM visits WHERE cost > 5";
    expect(await tree(text)).toEqual([
      "answer: n; total",
      " measure: ",
      "  limit contributions: at most 1 group per unit; at most 3 rows per unit and group ±3/1",
      "   filter: cost > 5 ±any/any",
      "    read visits: cost ±any/any",
    ]);
    // Somebody who is replaced takes rows away and brings others.
    expect((await tree(text, replaced)).map((line) => / ±.*/.exec(line)?.[0])).toEqual([
      undefined,
      undefined,
      " ±6/2",
      " ±any/any",
      " ±any/any",
    ]);
  });

  it("bounds nothing where a row is a unit", async () => {
    const text = "SELECT COUNT(*) FROM guests WHERE size > 5";
    expect(await belowNoise(text)).toEqual([
      "  limit contributions: a row is a unit: nothing to limit ±1/1",
      "   filter: size > 5 ±1/any",
      "    read guests: size ±1/any",
    ]);
    expect(await belowNoise(text, replaced)).toEqual([
      "  limit contributions: a row is a unit: nothing to limit ±2/2",
      "   filter: size > 5 ±2/any",
      "    read guests: size ±2/any",
    ]);
  });

  it("bounds rows before the filter where the policy does, whatever groups they lie in", async () => {
    const text = "SELECT g, COUNT(*) FROM early WHERE x > 1 GROUP BY g";
    expect(await tree(text)).toEqual([
      "answer: g; count",
      " group: by g; 4 public groups, each answered",
      "  measure: ",
      "   filter: x > 1 ±6/6",
      "    limit contributions: at most 6 rows per unit, before the filter ±6/6",
      "     read early: who; g; x ±any/any",
    ]);
    expect((await explained(text)).ordered).toBe("early");
    expect((await explained("SELECT COUNT(*) FROM visits")).ordered).toBeNull();
    expect((await explained("SELECT COUNT(*) FROM guests")).ordered).toBeNull();
  });

  it("bounds the values that a unit brings to a count of distinct ones", async () => {
    expect((await belowNoise("SELECT COUNT(DISTINCT code), COUNT(*) FROM visits"))[0]).toBe(
      "  limit contributions: at most 1 group per unit; at most 3 rows per unit and group; at most 3 values of code per unit and group ±3/1",
    );
  });

  it("says how rows meet, and how many of them", async () => {
    expect(await belowNoise("SELECT COUNT(*) FROM people p JOIN visits v ON p.id = v.person")).toEqual([
      "  limit contributions: at most 1 group per unit; at most 3 rows per unit and group ±3/1",
      "   inner join: p.id = v.person; only rows of one unit are joined; one private row stands in at most 5 joined rows ±any/any",
      "    read people as p: the join takes at most 1 row of each unit, chosen by lowest keyed hash ±any/any",
      "    read visits as v: the join takes at most 5 rows of each unit, chosen by lowest keyed hash ±any/any",
    ]);
    expect(
      await belowNoise(
        "SELECT COUNT(*) FROM visits LEFT JOIN codes c ON visits.code = c.code WHERE c.kind = 'x'",
      ),
    ).toEqual([
      "  limit contributions: at most 1 group per unit; at most 3 rows per unit and group ±3/1",
      "   filter: c.kind = 'x' ±any/any",
      "    left join: visits.code = c.code; with public rows; one private row stands in at most 1 joined row ±any/any",
      "     read visits: code ±any/any",
      "     read codes as c: code; kind; one row for each code; the question reads at most 4 rows for each kind, the first in the order of the columns that it reads ±0/any",
    ]);
    expect((await belowNoise("SELECT COUNT(*) FROM visits v JOIN codes c ON v.code = c.kind"))[1]).toContain(
      "one private row stands in at most 4 joined rows",
    );
  });

  it.each([
    [
      "SELECT COUNT(*) FROM visits WHERE code IN (SELECT code FROM codes)",
      "semijoin: visits.code = codes.code",
    ],
    [
      "SELECT COUNT(*) FROM visits WHERE NOT EXISTS (SELECT 1 FROM codes WHERE codes.code = visits.code)",
      "anti-join: codes.code = visits.code",
    ],
  ])("says which rows are kept: %s", async (text, label) => {
    const found = await belowNoise(text);
    expect(found.slice(1)).toEqual([
      `   ${label}; with public rows; one private row stands in at most 1 joined row ±any/any`,
      "    read visits: code ±any/any",
      "    read codes: code; one row for each code ±0/any",
    ]);
  });

  it("says what is made within units", async () => {
    const grouped =
      "SELECT SUM(LEAST(n, 20)) FROM (SELECT person, code, COUNT(*) AS n FROM visits GROUP BY 1, 2) t";
    expect((await belowNoise(grouped)).slice(1)).toEqual([
      "   group within units: by unit, visits.code; n = COUNT(*) ±any/any",
      "    read visits: code ±any/any",
    ]);
    const windowed =
      "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY person ORDER BY cost) AS n FROM visits) t WHERE n = 1";
    expect((await belowNoise(windowed)).slice(1)).toEqual([
      "   filter: t.n = 1 ±any/any",
      "    window within units: n = ROW_NUMBER() OVER (PARTITION BY unit ORDER BY visits.cost NULLS LAST) ±any/any",
      "     read visits: cost ±any/any",
    ]);
    const united =
      "SELECT AVG(x) FROM (SELECT cost AS x FROM visits WHERE cost > 3 UNION ALL SELECT age FROM people) u";
    expect((await belowNoise(united)).slice(1)).toEqual([
      "   union all: x; one private row stands in at most 1 joined row ±any/any",
      "    filter: visits.cost > 3 ±any/any",
      "     read visits: cost ±any/any",
      "    read people: age ±any/any",
    ]);
  });

  it("needs no bound where each unit has one row by itself", async () => {
    const text =
      "SELECT COUNT(*) FROM (SELECT person, COUNT(*) AS n FROM visits GROUP BY person) t WHERE n > 3";
    expect(await belowNoise(text)).toEqual([
      "  limit contributions: a unit has one row: nothing to limit ±1/1",
      "   filter: t.n > 3 ±1/any",
      "    group within units: by unit; n = COUNT(*) ±1/any",
      "     read visits:  ±any/any",
    ]);
    expect((await explained(text)).unit).toBe("each row holds all data of one person");
  });
});

describe("the groups of a tree", () => {
  const groups = async (text: string): Promise<readonly string[]> =>
    (await explained(text)).tree.children[0]!.details;

  it("are listed, or data", async () => {
    expect(await groups("SELECT code, COUNT(*) FROM guests GROUP BY code")).toEqual([
      "by code",
      "2 public groups, each answered",
    ]);
    expect(await groups("SELECT code, town, COUNT(*) FROM guests GROUP BY code, town")).toEqual([
      "by code, town",
      "keys are data: each group passes a private selection",
    ]);
  });

  it("add up to totals where they are listed", async () => {
    expect(
      await groups("SELECT code, size > 4, COUNT(*) FROM guests GROUP BY CUBE (code, size > 4)"),
    ).toEqual([
      "by code, size > 4",
      "6 public groups, each answered",
      "totals by code: sums of 3 noisy groups each, at no further price",
      "totals by size > 4: sums of 2 noisy groups each, at no further price",
      "totals over all: sums of 6 noisy groups each, at no further price",
    ]);
  });

  it("have totals of their own where they are data: those by listed keys share one measurement", async () => {
    const other =
      "(other): each total minus its released groups, at no further price, with the noise of both";
    expect(await groups("SELECT town, COUNT(*) FROM guests GROUP BY ROLLUP (town)")).toEqual([
      "by town",
      "keys are data: each group passes a private selection",
      "the groups take 66.7 % of the price of measuring",
      "totals over all take 33.3 %: over all groups, released or not; always answered",
      other,
    ]);
    expect(await groups("SELECT town, code, COUNT(*) FROM guests GROUP BY CUBE (town, code)")).toEqual([
      "by town, code",
      "keys are data: each group passes a private selection",
      "the groups take 50 % of the price of measuring",
      "totals by town take 25 %: over all groups, released or not; listed if one of their groups is released",
      "totals by code take 25 %: over all groups, released or not; 2 of them, each answered",
      "totals over all: sums of 2 noisy groups each, at no further price",
      other,
    ]);
  });
});

describe("the prices in a tree", () => {
  const approximate = (epsilon: string, delta = "0") => ({ measure: "approximate", epsilon, delta });
  const costs = ({
    label,
    costs: cost,
    measured,
    answers,
    children,
  }: ExplanationNode): readonly unknown[] => [
    [label, cost, measured.length, answers.length],
    ...children.flatMap(costs),
  ];

  it("are those of each step, and of all at the root", async () => {
    expect(costs((await explained("SELECT COUNT(*), SUM(size) FROM guests")).tree)).toEqual([
      ["answer", approximate("1"), 0, 2],
      ["measure", approximate("1"), 1, 0],
      ["limit contributions", null, 0, 0],
      ["read guests", null, 0, 0],
    ]);
  });

  it("split into selection and noise, which add up", async () => {
    const { tree: root, price } = await explained("SELECT town, COUNT(*) FROM guests GROUP BY town");
    expect(costs(root)).toEqual([
      ["answer", approximate("1", "1/100000000"), 0, 1],
      ["group", approximate("1/3", "1/100000000"), 0, 0],
      ["measure", approximate("2/3"), 1, 0],
      ["limit contributions", null, 0, 0],
      ["read guests", null, 0, 0],
    ]);
    expect(root.costs).toEqual(price);
    // Public groups are not selected.
    expect(costs((await explained("SELECT code, COUNT(*) FROM guests GROUP BY code")).tree)[1]).toEqual([
      "group",
      null,
      0,
      0,
    ]);
  });

  it("give a fifth to bounds that are learned before anything is measured", async () => {
    const text = "SELECT SUM(age, contribution_bounds_per_row => auto), COUNT(*) FROM people";
    const { tree: root, measurements, assumptions } = await explained(text);
    expect(costs(root)).toEqual([
      ["answer", approximate("1"), 0, 2],
      ["measure", approximate("4/5"), 2, 0],
      ["learn bounds", approximate("1/5"), 1, 0],
      ["limit contributions", null, 0, 0],
      ["read people", null, 0, 0],
    ]);
    expect(root.children[0]!.children[0]!.details).toEqual([
      "bounds of age are chosen among 9 public values from 0 to 99, by its noisy counts over all groups",
    ]);
    // A stage counts rows, one a unit: noise of scale 1/(1/5).
    expect(measurements.map(({ name }) => name)).toEqual([
      "cells of the size of age",
      "SUM(age)",
      "COUNT(*)",
    ]);
    expect(measurements[0]).toMatchObject({ l1: 1, l2: 1, scale: 5 });
    expect(assumptions).toEqual([
      "age: errors are stated for [0, 99], the widest bounds that can be found, and shrink with the bounds that are found",
    ]);
    const wild = await explained("SELECT SUM(wild, contribution_bounds_per_row => auto) FROM people");
    expect(wild.assumptions).toEqual([
      "wild: its bounds are not known before they are learned; errors are stated for [-1, 1], and change in proportion to the bounds that are found",
    ]);
    expect((await explained("SELECT SUM(age) FROM people")).assumptions).toEqual([]);
  });

  it("are none where nothing is hidden by noise", async () => {
    const pure = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: replace-one }
budget: { measure: pure, epsilon: 1 }
tables: { people: { file: p.csv, unit: row, columns: { age: { type: integer, bounds: [0, 9] } } } }
`);
    const { tree: root, measurements, adjacency } = await explained("SELECT COUNT(*) FROM people", pure);
    expect(costs(root)).toEqual([
      ["answer", { measure: "pure", epsilon: "0" }, 0, 1],
      ["measure", null, 1, 0],
      ["limit contributions", null, 0, 0],
      ["read people", null, 0, 0],
    ]);
    expect(measurements).toMatchObject([{ mechanism: "constant@1", l1: 0, l2: 0, scale: 0, halfWidth: 0 }]);
    expect(adjacency).toBe("what a unit's data say is hidden; the number of units is public");
  });
});

describe("what is measured", () => {
  it("is stated in the units of the question, whatever the steps of its grids", async () => {
    const fine = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 9 }
tables: { t: { file: t.csv, unit: row, columns: { x: { type: number, bounds: [0, 64], default: 0 }, y: { type: number, bounds: [0, 4], default: 0 } } } }
`);
    const moved = async (select: string): Promise<readonly (readonly [string, number, number])[]> =>
      (await explained(`SELECT ${select} FROM t`, fine)).measurements.map(({ name: describes, l1, l2 }) => [
        describes,
        l1,
        l2,
      ]);
    expect(await moved("SUM(x)")).toEqual([["SUM(x)", 64, 64]]);
    // Distances from the middle are 32 and 2 at most.
    expect(await moved("COVAR_POP(x, y)")).toEqual([
      ["SUM((x − middle)(y − middle))", 64, 64],
      ["SUM(x − middle)", 32, 32],
      ["SUM(y − middle)", 2, 2],
      ["COUNT(*)", 1, 1],
    ]);
    // Squares of distances are 1024 at most; half of that is taken from each.
    expect((await moved("VAR_POP(x)"))[0]).toEqual(["SUM((x − middle)² − offset)", 512, 512]);
    // A row is one in each of the levels of a tree.
    const [[cells, l1, l2]] = (await moved("MEDIAN(y)")) as readonly [readonly [string, number, number]];
    expect([cells, l2]).toEqual(["cells of y", Math.sqrt(l1)]);
    expect(Number.isInteger(l1)).toBe(true);
  });
});

describe("the words of an explanation", () => {
  it("say who is protected, and what is hidden of them", async () => {
    const said = async (text: string, policy = added) => {
      const { unit, adjacency } = await explained(text, policy);
      return [unit, adjacency];
    };
    const present = "whether a unit is in the data at all is hidden";
    expect(await said("SELECT COUNT(*) FROM guests")).toEqual(["each row is one person", present]);
    expect(await said("SELECT COUNT(*) FROM people")).toEqual(["one person is one id", present]);
    expect(await said("SELECT COUNT(*) FROM visits")).toEqual(["one person is one people.id", present]);
    expect((await said("SELECT COUNT(*) FROM people", replaced))[1]).toBe(
      "what a unit's data say, and which private tables hold its rows, is hidden; the number of units in all private tables together is public",
    );
  });

  it("say how many rows are read at most, and which", () => {
    expect(limitWords({ per: "unit", rows: 2 })).toBe(
      "the join takes at most 2 rows of each unit, chosen by lowest keyed hash",
    );
    expect(limitWords({ per: "unit-and-key", column: "k", rows: 3 })).toBe(
      "the join takes at most 3 rows for each unit and k, chosen by lowest keyed hash",
    );
    expect(limitWords({ per: "value", column: "k", rows: 4 })).toBe(
      "the question reads at most 4 rows for each k, the first in the order of the columns that it reads",
    );
    expect(limitWords({ per: "table", rows: 5 })).toBe(
      "the question reads at most 5 rows, the first in the order of the columns that it reads",
    );
    expect([0, 1, 2].map((count) => plural(count, "row"))).toEqual(["0 rows", "1 row", "2 rows"]);
  });

  it("price the same noise in every measure that proves something of it", async () => {
    const laplace = await explained("SELECT COUNT(*) FROM guests");
    expect(laplace.prices).toEqual([
      { measure: "pure", delta: null, price: { measure: "pure", epsilon: "1" } },
      { measure: "approximate", delta: "1/1000000", price: approximatePrice("1") },
      // ε-DP is ε²/2-zCDP.
      { measure: "zcdp", delta: null, price: { measure: "zcdp", rho: "1/2", delta: "0" } },
    ]);
    const gaussian = await explained("SELECT COUNT(*) FROM guests", added, {
      mechanism: "gaussian",
      delta: parseRational("1e-7"),
    });
    expect(gaussian.prices.map(({ measure, price }) => [measure, price === null])).toEqual([
      ["pure", true],
      ["approximate", false],
      ["zcdp", false],
    ]);
    const [only] = gaussian.measurements;
    expect(only).toMatchObject({ mechanism: "rounded-gaussian@1", l1: 1, l2: 1 });
    // 1.96 standard deviations hold 95 of 100 draws.
    expect(only!.halfWidth / only!.scale).toBeGreaterThan(1.8);
    expect(only!.halfWidth / only!.scale).toBeLessThan(2.2);
  });
});

function approximatePrice(epsilon: string): object {
  return { measure: "approximate", epsilon, delta: "0" };
}
