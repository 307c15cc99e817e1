import { parseQuestion, readPolicy, resolveQuestion } from "@lethe/query";
import { expect, it } from "vitest";
import { readModel } from "../model/read-model.ts";
import { people } from "../testing/people.ts";
import { layoutOf } from "./layout-of.ts";

it("a regression asks once without keys, once a block and once a pair of blocks, always of the same rows", async () => {
  const model = await readModel(
    "version: 1\ntable: people\nwhere: hours > 0\nmodel: linear-regression\ntarget: wage\nfeatures: [age, sector, member]",
    people,
  );
  const { numbers, blocks, questions } = layoutOf(model);
  expect(numbers).toEqual([
    { name: "wage", middle: 25, half: 35 },
    { name: "age", middle: 54, half: 36 },
  ]);
  expect(blocks.map(({ name }) => name)).toEqual(["sector", "member"]);
  const wage = '(("wage" - 2.5e+1) / 3.5e+1)';
  const age = '(("age" - 5.4e+1) / 3.6e+1)';
  const rows = 'FROM "people" WHERE (\nhours > 0\n) AND "wage" IS NOT NULL AND "sector" IS NOT NULL';
  const sums = `COUNT(*) AS "n", SUM(${wage}) AS "sum 0", SUM(${age}) AS "sum 1"`;
  expect(questions.map(({ text }) => text)).toEqual([
    `SELECT ${sums}, SUM(POWER(${wage}, 2)) AS "sum 0 0", SUM(${wage} * ${age}) AS "sum 0 1", SUM(POWER(${age}, 2)) AS "sum 1 1" ${rows}`,
    `SELECT "sector", ${sums} ${rows} GROUP BY "sector"`,
    `SELECT "member", ${sums} ${rows} GROUP BY "member"`,
    `SELECT "sector", "member", COUNT(*) AS "n" ${rows} GROUP BY "sector", "member"`,
  ]);
});

it("naive Bayes asks within the classes alone", async () => {
  const model = await readModel(
    "version: 1\ntable: people\nmodel: naive-bayes\ntarget: member\nfeatures: [age, sector]",
    people,
  );
  expect(layoutOf(model).questions.map(({ keys, values }) => ({ keys, values }))).toEqual([
    { keys: [0], values: [[], [0], [0, 0]] },
    { keys: [0, 1], values: [[]] },
  ]);
});

it("a model of too many sums is refused before anything is asked", async () => {
  const categories = Array.from({ length: 101 }, (_, i) => `c${i}`);
  const column = (name: string) => ({ kind: "category", name, categories, nullable: false }) as const;
  const task = { kind: "marginals", marginals: [[column("a"), column("b")]] } as const;
  expect(() => layoutOf({ version: 1, source: "t", where: null, task })).toThrow(
    "the model needs 10201 sums, and may need 10000",
  );
});

it("a model of too many equations between its sums is refused too, since making them agree would take minutes", () => {
  const asked = (count: number) => {
    const features = Array.from(
      { length: count },
      (_, i) => ({ kind: "category", name: `c${i}`, categories: [false, true], nullable: false }) as const,
    );
    const target = { kind: "number", name: "y", bounds: [0, 1], nullable: false } as const;
    const task = { kind: "linear-regression", target, features, intercept: true, penalty: 0 } as const;
    return layoutOf({ version: 1, source: "t", where: null, task }).questions.length;
  };
  expect(asked(28)).toBe(1 + 28 + (28 * 27) / 2);
  expect(() => asked(29)).toThrow(/equations between sums, and may need 2000/);
});

it("splits more sums than a question may have columns into several, each sum once", async () => {
  const columns = Array.from({ length: 20 }, (_, i) => `      x${i}: { type: number, bounds: [0, 1] }`).join(
    "\n",
  );
  const wide = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
${columns}
budget: { measure: pure, epsilon: 1 }
`);
  const features = Array.from({ length: 20 }, (_, i) => `x${i}`).join(", ");
  const model = await readModel(
    `version: 1\ntable: people\nmodel: covariance\nfeatures: [${features}]`,
    wide,
  );
  const { questions } = layoutOf(model);
  expect(questions.map(({ values }) => values.length)).toEqual([100, 100, 31]);
  expect(new Set(questions.flatMap(({ values }) => values.map(String))).size).toBe(1 + 20 + 210);
  for (const { text } of questions) expect(resolveQuestion(await parseQuestion(text), wide)).toBeTruthy();
});
