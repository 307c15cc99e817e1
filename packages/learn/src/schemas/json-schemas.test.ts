import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { boostingSchema } from "../boosting/plan/boosting-schema.ts";
import { kMeansSchema } from "../clusters/k-means-schema.ts";
import { convexFile } from "../convex/task/convex-file.ts";
import { modelSchema } from "../model/model-schema.ts";
import { networkSchema } from "../networks/plan/network-schema.ts";
import { synthesisSchema } from "../synthesis/spec/synthesis-schema.ts";
import { modelJsonSchema, synthesisJsonSchema } from "./json-schemas.ts";

type Members = Record<string, unknown>;

const described: Readonly<Record<string, Members>> = {
  "linear-regression": { target: "wage", features: ["age", "sector"], intercept: false, where: "age > 3" },
  "ridge-regression": { target: "wage", features: ["age"], penalty: 0.5 },
  covariance: { features: ["age", "wage", "hours"] },
  pca: { features: ["age", "wage", "hours"], components: 2 },
  "naive-bayes": { target: "sector", features: ["age", "member"] },
  marginals: { features: ["sector", "member"], marginals: 2 },
  "k-means": { features: ["age", "wage"], clusters: 3, steps: 4 },
  network: {
    ...{
      target: "wage",
      features: ["age", "sector"],
      units: 2000,
      layers: [{ layer: "tanh" }],
      rate: "1/10",
      steps: 9,
    },
    ...{
      clip: { adaptive: { start: 1, quantile: 0.5 } },
      correlation: { kind: "tree" },
      sampler: "cyclic",
      seed: 3,
    },
    optimizer: { kind: "sgd", rate: 0.5, momentum: 0.9 },
  },
  convex: {
    target: "wage",
    features: ["age"],
    units: 2000,
    loss: "huber",
    corner: 0.5,
    noise: "theorem",
    radius: 2,
  },
  boosting: {
    ...{ target: "wage", features: ["age"], bins: 8, rounds: 4, rate: 0.5 },
    ...{ clip: 2, countShare: 0.1, shrinkage: 1 },
  },
};
/** More of one kind, with keys that hang on one another. */
const convexes: readonly Members[] = [
  { noise: "tight", loss: "huber", corner: 0.5, radius: 2, intercept: false },
  { algorithm: "one-pass", stepSize: 0.5, loss: "smooth-hinge", width: 1 },
  { algorithm: "output-perturbation", ridge: 0.5, loss: "logistic" },
  { algorithm: "frank-wolfe", steps: 3, loss: "squared" },
  { candidates: [{ radius: 2 }, { algorithm: "localization", stepSize: 0.5 }], tries: 3, scoreShare: 0.5 },
].map((own) => ({
  version: 1,
  table: "people",
  model: "convex",
  ...{ target: "wage", features: ["age"], units: 16 },
  ...own,
}));
const words = { purpose: "Plans beds.", limits: ["Not for one patient.", "Not after 2027."] };
const models: readonly Members[] = [
  ...Object.entries(described).flatMap(([model, members]) => [
    { version: 1, table: "people", model, ...members },
    { version: 1, from: "workers", model, ...members, ...words },
  ]),
  ...convexes,
];
const tables = [
  { version: 1, table: "people", method: "mst", purpose: "Trying out queries.", limits: "No figure." },
  { version: 1, from: "workers", method: "aim", columns: ["age", "sector"], bins: 8, model_mb: 0.5 },
  { version: 1, table: "people", method: "residuals", bins: { age: 4, wage: 4096 }, where: "age > 3" },
];

const names = [
  "age",
  "wage",
  "sector",
  "a b",
  "",
  "__proto__",
  "x".repeat(63),
  "x".repeat(64),
  "é".repeat(40),
  "a\u202eb",
];
const values: readonly unknown[] = [
  ...[0, 1, 2, 3, -1, 0.5, 1e-300, 16, 16.5, 32, 33, 101, 256, 257, 4097, 10_001, 2 ** 50, 2 ** 51],
  ...[true, false, null, "", "1", "mst", "aim", "boosting", "k-means", "marginals", "pca", {}, [], [[]]],
  ...[[{}, {}], [{ radius: 2 }], [{ corner: 1 }, {}], [{ loss: "huber", corner: 1 }, { steps: 3 }]],
  ...names,
  ...[
    ["age"],
    ["age", "age"],
    ["age", 3],
    ["wage", "age"],
    [["age"]],
    [["age", "age"]],
    [["age", "wage", "x"]],
  ],
  ...[
    "y".repeat(1000),
    "y".repeat(1001),
    "🙂".repeat(600),
    "two\nlines",
    Array(20).fill("a"),
    Array(21).fill("a"),
  ],
  ...[
    "poisson",
    "full",
    "tight",
    "theorem",
    "descent",
    "frank-wolfe",
    "one-pass",
    "output-perturbation",
    "huber",
    "squared",
  ],
  ...["smooth-hinge", "logistic", "1/10", "0/3", "1/0", 1 - 2 ** -53, 2 ** 31, 2 ** 31 + 1],
  ...[
    { perLayer: [1, 2] },
    { perLayer: [] },
    { perLayer: [0] },
    { adaptive: { start: 1 } },
    { adaptive: { start: 0 } },
  ],
  ...[{ adaptive: { start: 1, quantile: 1 } }, { adaptive: {} }, { kind: "tree" }, { kind: "banded" }],
  ...[
    { kind: "banded", bands: 4 },
    { kind: "blt", buffers: 0 },
    { kind: "blt", buffers: 4, more: 1 },
  ],
  ...[
    { kind: "sgd", rate: 1, momentum: 1 },
    { kind: "adam", rate: 0.1, floor: 0 },
    { kind: "adam", rate: 0.1 },
  ],
  ...[[28, 28, 1], [28, 28], [0], [5], [{ layer: "linear", outputs: 3 }]],
  ...[{ age: 3 }, { age: 0 }, { age: "3" }, { "": 3 }, { ["x".repeat(64)]: 3 }],
];
const keys = [
  ...[
    "version",
    "table",
    "from",
    "where",
    "model",
    "target",
    "features",
    "intercept",
    "penalty",
    "components",
  ],
  ...[
    "marginals",
    "clusters",
    "steps",
    "bins",
    "rounds",
    "rate",
    "clip",
    "countShare",
    "shrinkage",
    "method",
  ],
  ...["units", "input", "layers", "sampler", "correlation", "optimizer", "seed", "loss", "corner", "width"],
  ...["radius", "algorithm", "noise", "stepSize", "ridge", "candidates", "tries", "scoreShare"],
  ...["purpose", "limits", "columns", "model_mb", "colour", "__proto__", "constructor"],
];

type Change = (file: Members) => Members;
const without =
  (key: string): Change =>
  ({ [key]: _, ...rest }) =>
    rest;
const withValue =
  (key: string, value: unknown): Change =>
  (file) =>
    Object.fromEntries([...Object.entries(file), [key, value]]);
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom(...keys).map(without),
  fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values)).map(([key, value]) => withValue(key, value)),
  // A key that the file has: most others are refused as unknown.
  fc.tuple(fc.nat(), fc.constantFrom(...values)).map(
    ([at, value]): Change =>
      (file) => {
        const own = Object.keys(file);
        return withValue(own[at % own.length] ?? "", value)(file);
      },
  ),
);
const altered = (files: readonly Members[]): fc.Arbitrary<Members> =>
  fc
    .tuple(fc.constantFrom(...files), fc.array(changes, { maxLength: 2 }))
    .map(([file, made]) => made.reduce((at, change) => change(at), file));

const validator = (schema: object): ((file: unknown) => boolean) =>
  new Ajv2020({ strictTypes: false }).compile(schema) as (file: unknown) => boolean;

/** The rules that JSON Schema has no words for. */
function isBeyondWords(file: Members): boolean {
  const { target, features, components, table, from } = file;
  const listed: readonly unknown[] = Array.isArray(features) ? features : [];
  const used = [...listed, target, table, from, ...Object.values(file).flat(2)];
  const long = used.some((name) => typeof name === "string" && new TextEncoder().encode(name).length > 63);
  // JSON Schema counts characters, and the reader UTF-16 units.
  const paired = used.some((each) => typeof each === "string" && each.length > 1000);
  return paired || listed.includes(target) || Number(components) > listed.length || long;
}

/** Each file without each of its keys, and with each value at each of them. */
function* changedOnce(files: readonly Members[]): Iterable<Members> {
  for (const file of files)
    for (const key of Object.keys(file)) {
      yield without(key)(file);
      for (const value of values) yield withValue(key, value)(file);
    }
}

/**
 * How often both accept, and how often both refuse: over each file with one key changed, and over files that were changed at random. None may be told
 * apart for another reason than that JSON Schema has no words for it.
 */
function agreement(
  files: readonly Members[],
  schema: object,
  formatOf: (file: Members) => z.ZodType,
): { readonly accepted: number; readonly refused: number; readonly beyond: number } {
  const validate = validator(schema);
  const found = { accepted: 0, refused: 0, beyond: 0 };
  const compare = (file: Members): void => {
    const read = formatOf(file).safeParse(file).success;
    const valid = validate(file);
    if (valid !== read) {
      expect({ valid, read, file, beyond: isBeyondWords(file) }).toMatchObject({ valid: true, beyond: true });
      found.beyond += 1;
    } else found[read ? "accepted" : "refused"] += 1;
  };
  for (const file of changedOnce(files)) compare(file);
  fc.assert(fc.property(altered(files), compare), { numRuns: 20_000, seed: 7 });
  return found;
}

const own: Readonly<Record<string, z.ZodType>> = {
  "k-means": kMeansSchema,
  boosting: boostingSchema,
  network: networkSchema,
  convex: convexFile,
};
const formatOf = ({ model }: Members): z.ZodType =>
  typeof model === "string" && Object.hasOwn(own, model) ? (own[model] ?? modelSchema) : modelSchema;

describe("the JSON Schema of", () => {
  it("a model accepts every kind as it is described", () => {
    const validate = validator(modelJsonSchema());
    for (const file of models) {
      expect(formatOf(file).safeParse(file).success, String(file.model)).toBe(true);
      expect(validate(file), String(file.model)).toBe(true);
    }
  });

  it("a model accepts and refuses what the reader does, as far as it has words", () => {
    const { accepted, refused, beyond } = agreement(models, modelJsonSchema(), formatOf);
    expect(accepted).toBeGreaterThan(6000);
    expect(refused).toBeGreaterThan(16_000);
    expect(beyond).toBeGreaterThan(5);
    expect(beyond).toBeLessThan(1000);
  });

  it("a synthetic table accepts and refuses what the reader does", () => {
    const { accepted, refused, beyond } = agreement(tables, synthesisJsonSchema(), () => synthesisSchema);
    expect(accepted).toBeGreaterThan(6000);
    expect(refused).toBeGreaterThan(6000);
    expect(beyond).toBeLessThan(500);
  });

  it.each([
    ["a model", modelJsonSchema()],
    ["a synthetic table", synthesisJsonSchema()],
  ])("%s is of draft 2020-12, and describes every word in a sentence", (_, schema) => {
    expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
    const words: (readonly [string, string])[] = [];
    const walk = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      // Conditions between keys name them again, and describe them nowhere.
      if ("additionalProperties" in node && node.additionalProperties === false && "properties" in node)
        for (const [word, of] of Object.entries(node.properties as Record<string, { description?: string }>))
          words.push([word, of.description ?? ""]);
      for (const inner of Object.values(node)) walk(inner);
    };
    walk(schema);
    expect(words.length).toBeGreaterThan(6);
    expect(words.filter(([, text]) => !/^[A-Zλ].*\S \S.*[.]$/u.test(text))).toEqual([]);
  });

  it("a model names every kind that the refusal of another names", () => {
    const { anyOf } = modelJsonSchema() as {
      readonly anyOf: readonly { readonly properties: { readonly model: { readonly const: string } } }[];
    };
    const kinds = anyOf.map(({ properties }) => properties.model.const);
    const message = modelSchema.safeParse({ version: 1, model: "oracle" }).error?.issues[0]?.message ?? "";
    expect(kinds.toSorted()).toEqual(Object.keys(described).toSorted());
    for (const kind of kinds) expect(message).toContain(kind);
  });
});
