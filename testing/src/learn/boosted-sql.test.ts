import { DuckDBInstance } from "@duckdb/node-api";
import { drawsFrom, SeededSource } from "@lethe/core/tape";
import type { RowValues } from "@lethe/learn";
import {
  type BoostedModel,
  type BoostingDescription,
  boostingSql,
  columnsFromPolicy,
  editShape,
  planBoosting,
  predictBoosting,
  trainBoosting,
  trainingRows,
} from "@lethe/learn/boosting";
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

async function described(target: string): Promise<Pick<BoostingDescription, "target" | "features">> {
  const names = ["member", "wage", "age", "hours", "sector"].filter((name) => name !== target);
  const [predicted, ...features] = await columnsFromPolicy(
    "people",
    [target, ...names],
    readPolicy(policyText),
  );
  if (!predicted) throw new Error("no target");
  return { target: predicted, features };
}

async function learned(target: string, epsilon: string): Promise<BoostedModel> {
  const plan = planBoosting({
    ...(await described(target)),
    adjacency: "add-or-remove-one",
    budget: { epsilon, delta: "1e-6" },
  });
  return trainBoosting(plan, trainingRows(plan, randomRows(3000, 1)), drawsFrom(new SeededSource(2)));
}

function written(value: RowValues[string]): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

it.each([
  ["member", "1"],
  ["member", "0.0001"],
  ["wage", "1"],
  ["wage", "0.0001"],
])(
  "the SQL of a model of %s at ε = %s says in DuckDB what predict does, edited too",
  async (target, epsilon) => {
    const model = await learned(target, epsilon);
    const rows = randomRows(500, 3);
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
    const edited = editShape(model, "age", (value, { from, missing }) =>
      missing || (from ?? 0) > 50 ? 3 : value,
    );
    for (const one of [model, edited]) {
      const answer = await connection.runAndReadAll(`SELECT ${boostingSql(one)} FROM people ORDER BY place`);
      const found = answer.getRowObjects();
      expect(found).toHaveLength(rows.length);
      for (const [place, row] of rows.entries())
        for (const [name, value] of Object.entries(predictBoosting(one, row))) {
          const other = found[place]?.[name];
          if (typeof value === "number")
            expect(Math.abs(Number(other) - value)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)));
          else expect(other).toBe(value);
        }
    }
    connection.closeSync();
    instance.closeSync();
  },
);

it("scores are a question of Lethe's, which the gateway answers", async () => {
  const rows = randomRows(1000, 4).map(
    (row): RowValues => ({
      ...row,
      age: Math.min(90, Math.max(18, Number(row.age ?? 40))),
    }),
  );
  const csv = `age,hours,wage,sector,member\n${rows
    .map(({ age, hours, wage, sector, member }) =>
      [age, hours ?? "", wage ?? "", sector ?? "", member ?? ""].join(","),
    )
    .join("\n")}\n`;
  const house = await openLearningHouse(policyText, "people", csv);
  const model = await learned("member", "1");
  const text = `SELECT prediction, COUNT(*) AS n FROM (SELECT ${boostingSql(model)} FROM people) AS scored GROUP BY prediction`;
  const release = await house.ask(text, "1000");
  for (const [prediction, cell] of release.rows) {
    const due = rows.filter((row) => predictBoosting(model, row).prediction === prediction).length;
    const count =
      typeof cell === "object" && cell !== null && "value" in cell ? Number(cell.value) : Number.NaN;
    expect(Math.abs(count - due)).toBeLessThan(2);
  }
  expect(release.rows.length).toBeGreaterThanOrEqual(2);
  await house.close();
});
