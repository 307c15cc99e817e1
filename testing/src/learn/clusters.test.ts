import { DuckDBInstance } from "@duckdb/node-api";
import {
  type FittedKMeans,
  fitKMeans,
  kMeansQuestion,
  kMeansStart,
  kMeansStep,
  kMeansToSql,
  predictKMeans,
  type RowValues,
  readKMeans,
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
      wage: { type: number, bounds: [-10, 110] }
budget: { measure: pure, epsilon: 1000000 }
`;

interface Person {
  readonly age: number | null;
  readonly wage: number;
}

const middles = [
  { age: 25, wage: 10 },
  { age: 45, wage: 90 },
  { age: 80, wage: 30 },
] as const;

/** 3,000 people around three middles, up to ±5 in each column; some have no age. */
const people: readonly Person[] = Array.from({ length: 3000 }, (_, i) => {
  const { age, wage } = middles[(i % 3) as 0 | 1 | 2];
  return { age: i % 97 === 0 ? null : age + ((i * 7) % 11) - 5, wage: wage + (((i * 53) % 101) - 50) / 10 };
});

const csv = `age,wage\n${people.map(({ age, wage }) => `${age ?? ""},${wage}`).join("\n")}\n`;

let house: LearningHouse;
beforeAll(async () => {
  house = await openLearningHouse(policyText, "people", csv);
});
afterAll(() => house.close());

/** Asks every question through the gateway at ε each, each from the releases before it. */
async function learned(clusters: number, epsilon: string): Promise<FittedKMeans> {
  const text = `version: 1\ntable: people\nmodel: k-means\nfeatures: [age, wage]\nclusters: ${clusters}\nsteps: 4`;
  const model = await readKMeans(text, house.policy);
  const releases = [];
  let state = kMeansStart(model);
  while (state.step < model.steps) {
    const release = await house.measure(kMeansQuestion(model, state), epsilon);
    releases.push(release);
    state = kMeansStep(model, state, release);
  }
  const fitted = fitKMeans(model, releases);
  expect(fitted.counts).toEqual(state.counts);
  return fitted;
}

const odd: readonly RowValues[] = [
  { age: -5, wage: 700 },
  { age: null, wage: 5 },
  { age: 50, wage: null },
];

describe("k-means through the real gateway", () => {
  it("finds the middles at a high ε, with their counts", async () => {
    const fitted = await learned(3, "100");
    for (const middle of middles) {
      const place = Number(predictKMeans(fitted, middle).cluster);
      const [age = 0, wage = 0] = fitted.centroids[place] ?? [];
      expect(Math.abs(age - middle.age)).toBeLessThan(0.5);
      expect(Math.abs(wage - middle.wage)).toBeLessThan(0.5);
      expect(Math.abs((fitted.counts?.[place] ?? 0) - 990)).toBeLessThan(20);
    }
  });

  it("stays within the bounds at a low one", async () => {
    const { centroids } = await learned(4, "0.001");
    for (const [age = 0, wage = 0] of centroids)
      expect(age >= 18 && age <= 90 && wage >= -10 && wage <= 110).toBe(true);
  });
});

it("its SQL says in DuckDB what predict does, and is a question of Lethe's too", async () => {
  for (const epsilon of ["10", "0.01"]) {
    const fitted = await learned(5, epsilon);
    const rows: readonly RowValues[] = [...people.slice(0, 200).map((person) => ({ ...person })), ...odd];
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run("CREATE TABLE people (age INTEGER, wage DOUBLE)");
    await connection.run(
      `INSERT INTO people VALUES ${rows.map(({ age, wage }) => `(${age ?? "NULL"}, ${wage ?? "NULL"})`).join(", ")}`,
    );
    const answer = await connection.runAndReadAll(`SELECT ${kMeansToSql(fitted)} FROM people`);
    expect(answer.getRowObjects().map(({ cluster }) => cluster)).toEqual(
      rows.map((row) => predictKMeans(fitted, row).cluster),
    );
    connection.closeSync();
    instance.closeSync();

    const text = `SELECT cluster, COUNT(*) AS n FROM (SELECT ${kMeansToSql(fitted)} FROM people) AS scored GROUP BY cluster`;
    const release = await house.ask(text, "1000");
    for (const [cluster, cell] of release.rows) {
      const due = people.filter((person) => predictKMeans(fitted, { ...person }).cluster === cluster).length;
      const count =
        typeof cell === "object" && cell !== null && "value" in cell ? Number(cell.value) : Number.NaN;
      expect(Math.abs(count - due)).toBeLessThan(2);
    }
    // NULL is a key as well.
    expect(release.rows).toHaveLength(6);
  }
});
