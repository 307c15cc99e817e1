import { LetheError } from "@lethe/core";
import { expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { byName } from "../../refusals/by-name.ts";
import { type ResolvedQuery, resolveQuestion } from "../index.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  people:
    file: p.parquet
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60] }
      ward: { type: text, categories: [north, south], default: north }
`);
const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);
const columns = async (text: string): Promise<readonly unknown[]> => {
  const { outputs, aggregates } = await resolve(text);
  return outputs.map((output) => {
    const of = output.kind === "aggregate" ? byName(aggregates, output.aggregate) : undefined;
    return of?.kind === "quantile" ? [output.name, of.standsFor ?? of.share] : output.name;
  });
};

it.each([
  [
    "APPROX_QUANTILES(wage, 4) AS q",
    [
      ["q_0", "min"],
      ["q_1", 0.25],
      ["q_2", 0.5],
      ["q_3", 0.75],
      ["q_4", "max"],
    ],
  ],
  [
    "quantiles(wage, 1)",
    [
      ["quantiles_0", "min"],
      ["quantiles_1", "max"],
    ],
  ],
  [
    "APPROX_QUANTILES(wage, 3)",
    [
      ["approx_quantiles_0", "min"],
      ["approx_quantiles_1", 0.333333],
      ["approx_quantiles_2", 0.666667],
      ["approx_quantiles_3", "max"],
    ],
  ],
  [
    "QUANTILES(wage, ARRAY[0, 0.1, 1]) AS q",
    [
      ["q_0", 0],
      ["q_1", 0.1],
      ["q_2", 1],
    ],
  ],
  [
    "PERCENTILE_CONT(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY wage) AS p",
    [
      ["p_0", 0.5],
      ["p_1", 0.9],
    ],
  ],
  ["PERCENTILE_DISC(wage, ARRAY[0.5]) AS p", [["p_0", 0.5]]],
  // A share that is no list is one column, whatever number it is.
  ["PERCENTILE_CONT(wage, 1) AS p", [["p", 1]]],
  ["PERCENTILE_CONT(1) WITHIN GROUP (ORDER BY wage) AS p", [["p", 1]]],
])("%s is a column for each", async (list, due) => {
  expect(await columns(`SELECT ${list} FROM people`)).toEqual(due);
});

it("spreads up to the 100 columns that a question may have", async () => {
  expect(await columns("SELECT QUANTILES(wage, 99) AS q FROM people")).toEqual([
    ["q_0", "min"],
    ...Array.from({ length: 98 }, (_, at) => [`q_${at + 1}`, Number(((at + 1) / 99).toPrecision(6))]),
    ["q_99", "max"],
  ]);
  const shares = Array.from({ length: 99 }, (_, at) => at / 100);
  const listed = (list: readonly number[]): string =>
    `SELECT QUANTILES(wage, ARRAY[${list.join(", ")}]) FROM people`;
  expect(await columns(listed(shares))).toHaveLength(99);
  await expect(resolve(listed([...shares, 1]))).rejects.toThrow(/stands by itself/);
});

it("counts places as they are written, and keeps bounds and filters", async () => {
  const text =
    "SELECT APPROX_QUANTILES(wage, 2, contribution_bounds_per_row => (0, 9)) FILTER (WHERE wage > 1) AS q, ward, COUNT(*) AS n FROM people GROUP BY 2 HAVING q_1 > 2 ORDER BY 3, q_2";
  expect(await columns(text)).toEqual([["q_0", "min"], ["q_1", 0.5], ["q_2", "max"], "ward", "n"]);
  const { aggregates } = await resolve(text);
  expect(aggregates.slice(0, 3)).toMatchObject(
    [0, 1, 2].map(() => ({ bounds: { lo: 0, hi: 9 }, argument: { kind: "case" } })),
  );
});

it.each([
  [
    "SELECT APPROX_QUANTILES(wage, 4) AS q FROM people ORDER BY 1",
    /ORDER BY 1 is several columns, q_0 to q_4/,
  ],
  ["SELECT APPROX_QUANTILES(wage, 4) + 1 FROM people", /stands by itself/],
  ["SELECT COUNT(*) FROM people HAVING QUANTILES(wage, 4) > 1", /stands by itself/],
  ["SELECT QUANTILES(wage) FROM people", /stands by itself/],
  ["SELECT QUANTILES(wage, ARRAY[0.5], 4) FROM people", /stands by itself/],
  ["SELECT QUANTILES(wage, ARRAY[]) FROM people", /stands by itself/],
  ["SELECT QUANTILES(wage, ARRAY[0.5, wage]) FROM people", /stands by itself/],
  ["SELECT QUANTILES(wage, ARRAY['a']) FROM people", /stands by itself/],
  ["SELECT QUANTILES(wage, 100) FROM people", /stands by itself/],
  ["SELECT QUANTILES(wage, 2.5) FROM people", /stands by itself/],
  ["SELECT QUANTILES(4) WITHIN GROUP (ORDER BY wage) FROM people", /stands by itself/],
  ["SELECT PERCENTILE_CONT(wage, 4) FROM people", /share from 0 to 1/],
  [
    "SELECT PERCENTILE_CONT(ARRAY[0.5], 0.5) WITHIN GROUP (ORDER BY wage) FROM people",
    /takes a share, and one value/,
  ],
  ["SELECT APPROX_QUANTILES(wage, 2), ward FROM people GROUP BY ward ORDER BY 3", /place \(1 to 2\)/],
  ["SELECT QUANTILES(wage, wage) FROM people", /written out/],
  ["SELECT QUANTILES(wage, 0) FROM people", /written out/],
  ["SELECT QUANTILES(wage, 1000) FROM people", /written out/],
  ["SELECT QUANTILES(wage, ARRAY[0.5, 2]) FROM people", /share from 0 to 1/],
  ["SELECT QUANTILES(wage, 60), APPROX_QUANTILES(wage, 60) FROM people", /more than 100 columns/],
])("%s is refused", async (text, says) => {
  const error = await resolve(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LetheError);
  expect((error as LetheError).message).toMatch(says);
});
