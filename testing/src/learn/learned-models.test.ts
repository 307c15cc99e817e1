import { DuckDBInstance } from "@duckdb/node-api";
import {
  type FittedModel,
  fit,
  layoutOf,
  predict,
  type RowValues,
  readModel,
  readStatistics,
  toJson,
  toSql,
} from "@lethe/learn";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LearningHouse, openLearningHouse } from "./learning-house.ts";

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

interface Person {
  readonly age: number | null;
  readonly hours: number;
  readonly wage: number;
  readonly sector: string;
  readonly member: boolean;
}

const sectors = ["trade", "it's", "other"] as const;

/** 4,000 people whose wage is 5 + 0.5·age + 0.4·hours + 6 for it's + 12 for other + 3 for members, up to ±2. */
const people: readonly Person[] = Array.from({ length: 4000 }, (_, i) => {
  const age = 18 + ((i * 37) % 73);
  const hours = ((i * 101) % 600) / 10;
  const place = (i * 7) % 3;
  const member = (i * 13) % 5 < 2;
  const wage = 5 + 0.5 * age + 0.4 * hours + 6 * place + (member ? 3 : 0) + (((i * 53) % 41) - 20) / 10;
  return { age: i % 97 === 0 ? null : age, hours, wage, sector: sectors[place] ?? "other", member };
});

const csv = `age,hours,wage,sector,member\n${people
  .map(({ age, hours, wage, sector, member }) => [age ?? "", hours, wage, sector, member].join(","))
  .join("\n")}\n`;

let house: LearningHouse;
beforeAll(async () => {
  house = await openLearningHouse(policyText, "people", csv);
});
afterAll(() => house.close());

/** Asks every question of a model through the gateway at ε each, and fits the model to the releases. */
async function learned(text: string, epsilon: string): Promise<FittedModel> {
  const model = await readModel(`version: 1\ntable: people\n${text}`, house.policy);
  const layout = layoutOf(model);
  const releases = [];
  for (const question of layout.questions) releases.push(await house.measure(question.text, epsilon));
  return fit(model, layout, readStatistics(layout, releases));
}

const models = {
  "a linear regression": "model: linear-regression\ntarget: wage\nfeatures: [age, hours, sector, member]",
  "a ridge regression":
    "model: ridge-regression\npenalty: 10\nintercept: false\ntarget: wage\nfeatures: [age, sector]",
  covariances: "model: covariance\nfeatures: [age, hours, wage]",
  "principal components": "model: pca\nfeatures: [age, hours, wage]\ncomponents: 2",
  "naive Bayes": "model: naive-bayes\ntarget: sector\nfeatures: [wage, age, member]",
  marginals: "model: marginals\nfeatures: [sector, member]\nmarginals: 2",
};

describe("a regression through the real gateway", () => {
  it("finds the law of the data at a high ε, each in its interval", async () => {
    const fitted = await learned(models["a linear regression"], "1000");
    if (fitted.kind !== "linear-regression") throw new Error(fitted.kind);
    expect(fitted.drowned).toBe(false);
    const found = new Map(
      fitted.coefficients.map(({ column, category, value }) => [`${column} ${category}`, value]),
    );
    const law = {
      "age null": 0.5,
      "hours null": 0.4,
      "sector it's": 6,
      "sector other": 12,
      "member true": 3,
    };
    for (const [name, value] of Object.entries(law))
      expect(Math.abs((found.get(name) ?? 0) - value)).toBeLessThan(0.2);
    expect(found.size).toBe(5);
    expect(Math.abs((fitted.intercept?.value ?? 0) - 5)).toBeLessThan(0.5);
    for (const { interval, value } of fitted.coefficients) {
      expect(interval?.lower).toBeLessThan(value);
      expect(interval?.upper).toBeGreaterThan(value);
    }
    expect(fitted.notes[1]).toBe("rows where wage, age, hours, sector, member is NULL are left out");
  });

  it("has no intervals where the noise drowns the data, and is finite all the same", async () => {
    const fitted = await learned(models["a linear regression"], "0.001");
    if (fitted.kind !== "linear-regression") throw new Error(fitted.kind);
    expect(fitted.drowned).toBe(true);
    for (const { value, interval } of fitted.coefficients) {
      expect(Number.isFinite(value)).toBe(true);
      expect(interval).toBeNull();
    }
  });
});

function written(value: RowValues[string]): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

describe("the SQL of a model predicts what predict does, in DuckDB", () => {
  it.each(Object.entries(models))("%s", async (_, text) => {
    for (const epsilon of ["50", "0.01"]) {
      const fitted = await learned(text, epsilon);
      expect(JSON.parse(toJson(fitted))).toEqual(JSON.parse(JSON.stringify(fitted)));
      const instance = await DuckDBInstance.create(":memory:");
      const connection = await instance.connect();
      await connection.run(
        "CREATE TABLE people (age INTEGER, hours DOUBLE, wage DOUBLE, sector VARCHAR, member BOOLEAN)",
      );
      const odd: readonly RowValues[] = [
        { age: 5, hours: 700, wage: -50, sector: "it's", member: true },
        { age: null, hours: 7, wage: 5, sector: "trade", member: true },
        { age: 50, hours: 7, wage: 5, sector: "unheard of", member: false },
        { age: 50, hours: 7, wage: 5, sector: null, member: null },
      ];
      const rows: readonly RowValues[] = [...people.slice(0, 60).map((person) => ({ ...person })), ...odd];
      await connection.run(
        `INSERT INTO people VALUES ${rows.map(({ age, hours, wage, sector, member }) => `(${[age, hours, wage, sector, member].map((value) => written(value ?? null)).join(", ")})`).join(", ")}`,
      );
      const answer = (await connection.runAndReadAll(`SELECT ${toSql(fitted)} FROM people`)).getRowObjects();
      expect(answer).toHaveLength(rows.length);
      for (const [place, row] of rows.entries()) {
        for (const [name, value] of Object.entries(predict(fitted, row))) {
          const other = answer[place]?.[name];
          if (typeof value === "number") {
            expect(Math.abs(Number(other) - value)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)));
          } else expect(other).toBe(value);
        }
      }
      connection.closeSync();
      instance.closeSync();
    }
  });
});

describe("the SQL of a model is a question of Lethe's too", () => {
  it.each(Object.entries(models))("%s", async (_, text) => {
    const fitted = await learned(text, "50");
    const [name] = Object.keys(predict(fitted, {}));
    const scored = `SELECT COUNT("${name}") AS n FROM (SELECT ${toSql(fitted)} FROM people) AS scored`;
    const { rows } = await house.ask(scored, "1000");
    const missing = people.filter((person) => predict(fitted, { ...person })[name ?? ""] === null).length;
    const [[cell] = []] = rows;
    const count =
      typeof cell === "object" && cell !== null && "value" in cell ? Number(cell.value) : Number.NaN;
    expect(Math.abs(count - (people.length - missing))).toBeLessThan(2);
  });

  it("so a mean prediction can be asked of them, within the bounds that follow from the model", async () => {
    const fitted = await learned(models["a linear regression"], "1000");
    const text = `SELECT AVG(prediction) AS mean FROM (SELECT ${toSql(fitted)} FROM people) AS scored`;
    const { rows } = await house.ask(text, "1000");
    const [[cell] = []] = rows;
    const mean =
      typeof cell === "object" && cell !== null && "value" in cell ? Number(cell.value) : Number.NaN;
    const scores = people.flatMap((person) => predict(fitted, { ...person }).prediction ?? []).map(Number);
    expect(mean).toBeCloseTo(scores.reduce((a, b) => a + b, 0) / scores.length, 1);
  });
});
