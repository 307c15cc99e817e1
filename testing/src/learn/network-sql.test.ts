import { DuckDBInstance } from "@duckdb/node-api";
import { parseRational } from "@lethe/core";
import { SeededSource, trainingDrawsFrom } from "@lethe/core/tape";
import type { RowValues } from "@lethe/learn";
import {
  type NetworkModel,
  networkSql,
  openNetwork,
  planNetwork,
  readNetworkTask,
  sealedRecords,
  trainSealedNetwork,
} from "@lethe/learn/networks";
import { readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { openLearningHouse } from "./learning-house.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90] }
      hours: { type: number, bounds: [0, 60] }
      wage: { type: number, bounds: [-10, 110] }
      sector: { type: text, categories: [trade, "it's", other] }
      member: { type: boolean }
budget: { measure: pure, epsilon: 1000000 }
`;

const sectors = ["trade", "it's", "other"] as const;

/** Random rows: values beyond the bounds, of no category, and missing ones too. */
function randomRows(count: number, seed: number): readonly RowValues[] {
  const bits = new SeededSource(seed);
  const below = (n: number): number => bits.word() % n;
  return Array.from({ length: count }, () => ({
    age: below(20) === 0 ? null : 10 + below(90),
    hours: below(20) === 0 ? null : below(700) / 10 - 2,
    wage: below(20) === 0 ? null : below(1500) / 10 - 20,
    sector: below(10) === 0 ? (below(2) === 0 ? null : "unheard of") : (sectors[below(3)] ?? null),
    member: below(20) === 0 ? null : below(3) === 0,
  }));
}

/** Hidden layers of every kind that SQL can say. */
const hidden = {
  none: "",
  some: `layers:
  - { layer: linear, outputs: 5 }
  - { layer: relu }
  - { layer: linear, outputs: 4 }
  - { layer: sigmoid }
  - { layer: flatten }
  - { layer: linear, outputs: 3 }
  - { layer: tanh }
`,
} as const;

async function learned(target: string, layers: keyof typeof hidden): Promise<NetworkModel> {
  const features = ["member", "wage", "age", "hours", "sector"].filter((name) => name !== target);
  const text = `version: 1\ntable: people\nmodel: network\ntarget: ${target}\nfeatures: [${features.join(", ")}]\nunits: 300\nsampler: full\nsteps: 5\n${hidden[layers]}`;
  const {
    kind: _,
    version: __,
    source: ___,
    where: ____,
    ...task
  } = await readNetworkTask(text, readPolicy(policyText));
  const budget = { epsilon: parseRational("50"), delta: parseRational("1e-6") };
  const plan = planNetwork({ ...task, adjacency: "add-or-remove-one", budget });
  const draws = trainingDrawsFrom(new SeededSource(2));
  return trainSealedNetwork(plan, sealedRecords(plan, randomRows(300, 1)), draws, { charge: "paid" });
}

function written(value: RowValues[string]): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

it.each([
  ["member", "none"],
  ["member", "some"],
  ["wage", "none"],
  ["wage", "some"],
  ["sector", "none"],
  ["sector", "some"],
] as const)(
  "the SQL of a network of %s with %s hidden layers says in DuckDB what it predicts",
  async (target, layers) => {
    const model = await learned(target, layers);
    const predict = openNetwork(model);
    const rows = randomRows(300, 3);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(
      "CREATE TABLE people (place INTEGER, age INTEGER, hours DOUBLE, wage DOUBLE, sector VARCHAR, member BOOLEAN)",
    );
    const values = rows.map(
      ({ age, hours, wage, sector, member }, place) =>
        `(${[place, age, hours, wage, sector, member].map((value) => written(value ?? null)).join(", ")})`,
    );
    await connection.run(`INSERT INTO people VALUES ${values.join(", ")}`);
    const answer = await connection.runAndReadAll(`SELECT ${networkSql(model)} FROM people ORDER BY place`);
    const found = answer.getRowObjects();
    expect(found).toHaveLength(rows.length);
    for (const [place, row] of rows.entries())
      for (const [name, value] of Object.entries(predict(row))) {
        const other = found[place]?.[name];
        if (typeof value === "number")
          expect(Math.abs(Number(other) - value)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)));
        else expect(other).toBe(value);
      }
    connection.closeSync();
  },
);

it("is an expression that Lethe itself reads, in a question about its scores", async () => {
  const model = await learned("member", "none");
  const csv = "age,hours,wage,sector,member\n20,30,40,trade,true\n";
  const house = await openLearningHouse(policyText, "people", csv);
  const text = `SELECT prediction, COUNT(*) AS n FROM (SELECT ${networkSql(model)} FROM people) AS scored GROUP BY prediction`;
  const { rows } = await house.ask(text, "1000");
  const [first] = rows.filter(
    ([, cell]) => typeof cell === "object" && cell !== null && "value" in cell && Number(cell.value) > 0.5,
  );
  expect(first?.[0]).toBe(openNetwork(model)({ age: 20, hours: 30, wage: 40, sector: "trade" }).prediction);
  await house.close();
});
