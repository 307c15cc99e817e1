import { openPostgres } from "@lethe/engine-postgres";
import type { TrainedModel } from "@lethe/learn";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lendTable } from "../postgres/lent-table.ts";
import { serverWith } from "../postgres/server-with.ts";
import { hasPostgres } from "../postgres/start-postgres.ts";
import { type LearningHouse, openLearningHouse } from "./learning-house.ts";

const policyText = (source: string): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
${source === "database" ? "database: { kind: postgres }\n" : ""}tables:
  people:
    ${source === "database" ? "relation: people" : "file: people.csv"}
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90] }
      wage: { type: number, bounds: [-10, 110] }
      sector: { type: text, categories: [trade, other] }
      member: { type: boolean }
budget: { measure: pure, epsilon: 1000000000 }
`;

const rows = Array.from({ length: 400 }, (_, i) => {
  const age = 18 + ((i * 37) % 73);
  return {
    age: i % 40 === 0 ? null : age,
    wage: 5 + age / 2 + (((i * 53) % 41) - 20) / 10,
    sector: i % 3 === 0 ? "trade" : "other",
    member: i % 5 < 2,
  };
});
const csv = `age,wage,sector,member\n${rows.map(({ age, wage, sector, member }) => [age ?? "", wage, sector, member].join(",")).join("\n")}\n`;

const file = (model: string): string => `version: 1\ntable: people\n${model}`;
const models = [
  file("model: linear-regression\ntarget: wage\nfeatures: [age, sector, member]"),
  file("model: ridge-regression\npenalty: 3\ntarget: age\nfeatures: [member, wage, sector]"),
  file("model: covariance\nfeatures: [wage, age]"),
  file("model: pca\nfeatures: [age, wage]"),
  file("model: naive-bayes\ntarget: member\nfeatures: [sector, wage, age]"),
  file("model: marginals\nfeatures: [member, sector]\nmarginals: 2"),
];

/**
 * The greatest ε that a question may take. Six models share it. The least certain number, a precision, then differs
 * between two trainings by a relative standard deviation of some 2e-4. Numbers are compared to 1 %, fifty times that,
 * so a false alarm is rarer than 1e-9. Columns that change places move a number by far more.
 */
const generous = "1000000";
const tolerance = 1e-2;

/** Every number of a model, by where it stands; intervals are of the noise, and not compared. */
function numbersOf(model: TrainedModel): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  const visit = (value: unknown, path: string): void => {
    if (typeof value === "number") found[path] = value;
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value))
      if (name !== "interval") visit(inner, `${path}.${name}`);
  };
  visit(model, model.kind);
  return found;
}

function expectSame(one: TrainedModel | undefined, other: TrainedModel | undefined): void {
  if (!one || !other) throw new Error("a model is missing");
  const [a, b] = [numbersOf(one), numbersOf(other)];
  expect(Object.keys(a)).toEqual(Object.keys(b));
  expect(Object.keys(a).length).toBeGreaterThan(3);
  for (const [name, value] of Object.entries(a))
    expect(Math.abs(value - (b[name] ?? Number.NaN)), name).toBeLessThan(tolerance * (1 + Math.abs(value)));
}

describe("models that are trained together", () => {
  let house: LearningHouse;
  beforeAll(async () => {
    house = await openLearningHouse(policyText("file"), "people", csv);
  });
  afterAll(() => house.close());

  it("are what each would be alone, whatever the order of their columns", async () => {
    const together = await house.train(models, generous);
    expect(together).toHaveLength(models.length);
    for (const [at, text] of models.entries()) {
      const [alone] = await house.train([text], generous);
      expectSame(together[at], alone);
    }
  });
});

describe.skipIf(!hasPostgres())("on PostgreSQL", () => {
  const own = serverWith("CREATE ROLE reader LOGIN");

  it("models are those of the same rows on DuckDB, to the noise", async () => {
    await lendTable(
      own.admin,
      "people",
      [
        { name: "age", type: "integer" },
        { name: "wage", type: "double precision" },
        { name: "sector", type: "text" },
        { name: "member", type: "boolean" },
      ],
      rows,
    );
    const url = new URL(own.server.url);
    url.username = "reader";
    url.password = "";
    const policy = policyText("database");
    const { readPolicy } = await import("@lethe/query");
    const engine = openPostgres({
      policy: readPolicy(policy),
      url: url.href,
      seed: "seed",
      log: () => undefined,
    });
    const there = await openLearningHouse(policy, "people", csv, engine);
    const here = await openLearningHouse(policyText("file"), "people", csv);
    try {
      const [onPostgres, onDuckDb] = [
        await there.train(models, generous),
        await here.train(models, generous),
      ];
      for (const at of models.keys()) expectSame(onPostgres[at], onDuckDb[at]);
    } finally {
      await there.close();
      await here.close();
    }
  });
});
