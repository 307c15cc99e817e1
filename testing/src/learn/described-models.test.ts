import { scoresOf, trainingOf } from "@lethe/learn";
import { verifyModels } from "@lethe/verify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LearningHouse, openLearningHouse, type TrainedFile } from "./learning-house.ts";

const policyText = (unit: string): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    ${unit}
    columns:
      id: { type: text }
      age: { type: integer, bounds: [18, 90], default: 30 }
      'the "wage"': { type: number, bounds: [-10, 110.5] }
      sector: { type: text, categories: [trade, "it's", other], default: other }
      level: { type: integer, categories: [3, 1, 2] }
      member: { type: boolean }
      h1: { type: number, bounds: [0, 1], default: 0 }
      h2: { type: number, bounds: [-1e-9, 1e-9], default: 0 }
      h3: { type: number, bounds: [999999, 1000000], default: 999999 }
views:
  workers: SELECT ${unit === "unit: row" ? "" : "id, "}age / 2 AS half, "the ""wage""" AS pay, sector, member FROM people WHERE age > 20
budget: { measure: approximate, epsilon: 1000000, delta: 1e-5 }
`;

const csv = `id,age,"the ""wage""",sector,level,member,h1,h2,h3\n${Array.from({ length: 300 }, (_, i) =>
  [
    ...[`p${i % 150}`, 18 + ((i * 37) % 73), i % 40 === 0 ? "" : ((i * 53) % 1100) / 10],
    ...[["trade", "it's", "other"][i % 3], 1 + (i % 3), i % 5 < 2, (i % 7) / 7, 0, 999999.5],
  ].join(","),
).join("\n")}\n`;

const several =
  "unit: id\n    max_groups_contributed: 1\n    max_rows_contributed_per_group: 2\n    limit: rows-before-filter";

const people = (rest: string): string => `version: 1\ntable: people\n${rest}`;
const workers = (rest: string): string => `version: 1\nfrom: workers\n${rest}`;
const wage = "'the \"wage\"'";

const trainings: Readonly<Record<string, readonly string[]>> = {
  "models over the same rows": [
    people(`model: linear-regression\ntarget: ${wage}\nfeatures: [age, sector, level, member]`),
    people(`model: ridge-regression\npenalty: 3\ntarget: age\nfeatures: [member, ${wage}, sector, level]`),
    people(`model: naive-bayes\ntarget: sector\nfeatures: [level, ${wage}, member]`),
    people(`model: marginals\nfeatures: [sector, level, member]\nmarginals: 2`),
  ],
  "models over rows of a condition": [
    people(
      `where: age >= 20 AND (sector IN ('trade', 'other') OR member) -- a comment\nmodel: covariance\nfeatures: [age, ${wage}]`,
    ),
    people(`where: NOT member\nmodel: pca\nfeatures: [h1, h2, h3]\ncomponents: 2`),
    people(
      "where: age BETWEEN 20 AND 60 AND h1 > 0\nmodel: marginals\nmarginals: [[sector], [sector, member]]",
    ),
  ],
  "models over a view": [
    workers("model: linear-regression\ntarget: pay\nfeatures: [half, sector]\nwhere: pay > 3"),
    workers("model: naive-bayes\ntarget: member\nfeatures: [half, pay, sector]"),
  ],
  "a k-means": [people(`model: k-means\nfeatures: [age, ${wage}, h3]\nclusters: 4\nsteps: 3`)],
};

/** Leaves that whoever holds released sums may choose: they are no claim about the release. */
const free = [/\.purpose$/, /\.limits\.\*$/, /\.intercept$/, /\.penalty$/, /\.components$/];

type Members = Record<string, unknown>;

/** A leaf of JSON: its place without numbers, and a function that changes the same leaf of a copy. */
interface Leaf {
  readonly kind: string;
  readonly change: (copy: unknown) => void;
}

function* leavesOf(value: unknown, path: readonly string[] = []): Iterable<Leaf> {
  if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* leavesOf(inner, [...path, name]);
    return;
  }
  const last = path.at(-1) ?? "";
  yield {
    kind: path.map((step) => (/^\d+$/.test(step) ? "*" : step)).join("."),
    change: (copy) => {
      const holder = path.slice(0, -1).reduce((at, step) => at[step] as Members, copy as Members);
      holder[last] = another(value);
    },
  };
}

function another(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `x${value}` : "age > 30";
}

describe.each([
  ["a row a unit", "unit: row"],
  ["several rows a unit", several],
])("descriptions of %s", (_, unit) => {
  let house: LearningHouse;
  beforeAll(async () => {
    house = await openLearningHouse(policyText(unit), "people", csv);
  });
  afterAll(() => house.close());

  const amissIn = async (file: TrainedFile): Promise<readonly string[]> => {
    const { checks } = await verifyModels(JSON.stringify(file), { policyText: policyText(unit) });
    return checks.filter(({ outcome }) => outcome === "failed").map(({ says }) => says);
  };

  // Rows that are limited before any question are those of a table.
  const own = Object.entries(trainings).filter(([name]) => unit === "unit: row" || !name.includes("view"));

  it.each(own)("hold as they were trained, at any noise: %s", async (_name, texts) => {
    for (const epsilon of ["0.001", "1", "500"])
      expect(await amissIn(await house.trainedFile(texts, epsilon))).toEqual([]);
  });

  it.each(own)("are refused whatever else they say: %s", async (_name, texts) => {
    const file = await house.trainedFile(texts, "50");
    const kinds = new Set<string>();
    for (const { kind, change } of leavesOf(file.descriptions)) {
      // One leaf of each kind: a check takes as long as that of the whole release.
      if (kinds.has(kind) || free.some((pattern) => pattern.test(kind))) continue;
      kinds.add(kind);
      const descriptions = structuredClone(file.descriptions);
      change(descriptions);
      const amiss = await amissIn({ ...file, descriptions }).catch(({ code }) => [code]);
      expect(amiss, kind).not.toEqual([]);
    }
    expect(kinds.size).toBeGreaterThan(7);
  });
});

it("a description whose models were fitted again is refused, though they follow from the sums", async () => {
  const house = await openLearningHouse(policyText("unit: row"), "people", csv);
  try {
    const file = await house.trainedFile(
      [people("model: naive-bayes\ntarget: sector\nfeatures: [level, age]")],
      "50",
    );
    const text = JSON.stringify(file.descriptions);
    const forged = JSON.parse(text.replace('["trade","it\'s","other"]', '["trade","it\'s"]'));
    expect(JSON.stringify(forged)).not.toBe(text);
    const { answers, certificate } = file.release;
    const shown = answers.map((answer, at) => ({
      ...answer,
      certificate: { plan: certificate.workload.plans[at] as never },
    }));
    const models = trainingOf(forged).fit(shown, file.confidence);
    const [model] = models;
    expect(model && Object.keys(scoresOf(model, { level: 1, age: 30 }))).toHaveLength(3);
    const { checks } = await verifyModels(JSON.stringify({ ...file, descriptions: forged, models }), {
      policyText: policyText("unit: row"),
    });
    const amiss = checks.filter(({ outcome }) => outcome === "failed").map(({ says }) => says);
    expect(amiss).toEqual(["model 1 describes sector otherwise than the policy"]);
  } finally {
    await house.close();
  }
});
