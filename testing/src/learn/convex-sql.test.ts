import { DuckDBInstance } from "@duckdb/node-api";
import { seal } from "@lethe/core/mechanisms";
import { SeededSource } from "@lethe/core/tape";
import type { RowValues } from "@lethe/learn";
import {
  type ConvexModel,
  convexSql,
  convexToJson,
  planConvexTask,
  predictConvex,
  readConvex,
  readConvexTask,
  trainSealedConvex,
} from "@lethe/learn/convex";
import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { openLearningHouse } from "./learning-house.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: replace-one }
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

const coded = (value: RowValues[string]): number => {
  if (typeof value === "number") return value;
  const place = typeof value === "boolean" ? Number(value) : sectors.indexOf(value as "other");
  return place < 0 || value === null ? Number.NaN : place;
};

async function learned(target: string, settings: string): Promise<ConvexModel> {
  const features = ["member", "wage", "age", "hours", "sector"].filter((name) => name !== target);
  const text = `version: 1\ntable: people\nmodel: convex\ntarget: ${target}\nfeatures: [${features.join(", ")}]\nunits: 300\n${settings}`;
  const task = await readConvexTask(text, readPolicy(policyText));
  const training = planConvexTask(task, {
    ...{ budget: { epsilon: 50, delta: 1e-6 }, adjacency: "replace-one", rowsPerUnit: 1 },
  });
  const rows = randomRows(300, 1);
  const columns = [...features, target].map((name) =>
    Float64Array.from(rows, (row) => coded(row[name] ?? null)),
  );
  const offsets = Uint32Array.from({ length: rows.length + 1 }, (_, at) => at);
  return trainSealedConvex(training, seal({ columns, offsets }), new SeededSource(2));
}

function written(value: RowValues[string]): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

const models = [
  ["member", "algorithm: localization\n"],
  ["member", "loss: smooth-hinge\nalgorithm: output-perturbation\n"],
  ["member", "algorithm: frank-wolfe\nsteps: 4\nintercept: false\n"],
  ["member", "steps: 20\n"],
  ["wage", "steps: 20\n"],
  ["wage", "loss: huber\nalgorithm: one-pass\nintercept: false\n"],
] as const;

describe.each(models)("a convex model of %s: %j", (target, settings) => {
  it("says in SQL, in DuckDB, what it predicts", async () => {
    const model = await learned(target, settings);
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
    const answer = await connection.runAndReadAll(`SELECT ${convexSql(model)} FROM people ORDER BY place`);
    const found = answer.getRowObjects();
    expect(found).toHaveLength(rows.length);
    for (const [place, row] of rows.entries()) {
      const predicted = predictConvex(model, row);
      expect(Object.keys(found[place] ?? {}).sort()).toEqual(Object.keys(predicted).sort());
      for (const [name, value] of Object.entries(predicted)) {
        const other = found[place]?.[name];
        if (typeof value === "number")
          expect(Math.abs(Number(other) - value)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)));
        else expect(other).toBe(value);
      }
    }
    connection.closeSync();
  });

  it("is JSON that is read back as it was, and no other", async () => {
    const model = await learned(target, settings);
    const text = convexToJson(model);
    expect(readConvex(text)).toEqual(model);
    for (const [from, to, place] of [
      [/"weights": \[\s*/, '"weights": [1, ', "weights"],
      ['"kind": "convex"', '"kind": "concave"', "kind"],
      ['"vacuous"', '"more": 1, "vacuous"', "unknown key"],
      [/"diameter": \d+/, '"diameter": -1', "diameter"],
      [/"algorithm": "[^"]*"/, '"algorithm": "newton"', "algorithm"],
      [/"bounds": \[\s*0,\s*60/, '"bounds": [60, 0', "bounds"],
      [/"kind": "(rounded-gaussian|repeat|zcdp)"/, '"kind": "magic"', "event"],
    ] as const) {
      expect(text).not.toBe(text.replace(from, to));
      expect(() => readConvex(text.replace(from, to))).toThrow(
        expect.objectContaining({ code: "model.invalid", message: expect.stringContaining(place) }),
      );
    }
    expect(() => readConvex("{")).toThrow(expect.objectContaining({ code: "model.unreadable" }));
  });
});

it("is an expression that Lethe itself reads, in a question about its scores", async () => {
  const model = await learned("member", "algorithm: localization\n");
  const csv = "age,hours,wage,sector,member\n20,30,40,trade,true\n";
  const house = await openLearningHouse(policyText, "people", csv);
  const text = `SELECT prediction, COUNT(*) AS n FROM (SELECT ${convexSql(model)} FROM people) AS scored GROUP BY prediction`;
  const { rows } = await house.ask(text, "1000");
  const [first] = rows.filter(
    ([, cell]) => typeof cell === "object" && cell !== null && "value" in cell && Number(cell.value) > 0.5,
  );
  expect(first?.[0]).toBe(predictConvex(model, { age: 20, hours: 30, wage: 40, sector: "trade" }).prediction);
  await house.close();
});
