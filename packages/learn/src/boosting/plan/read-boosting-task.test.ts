import { readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { modelKindOf } from "../../model/read-row-task.ts";
import { readBoostingTask } from "./read-boosting-task.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90] }
      wage: { type: number, bounds: [0, 100] }
      free: { type: number }
      sector: { type: text, categories: [a, b, c] }
      member: { type: boolean }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
`);
const file = (rest: string): string => `version: 1\ntable: people\nmodel: boosting\n${rest}`;

it("reads a training: its rows, columns and settings", async () => {
  const text = file("where: age > 20\ntarget: member\nfeatures: [age, sector]\nrounds: 4\nclip: 0.5\n");
  expect(modelKindOf(text)).toBe("boosting");
  expect(await readBoostingTask(text, policy)).toEqual({
    kind: "boosting",
    version: 1,
    source: "people",
    where: "age > 20",
    target: { kind: "category", name: "member", categories: [false, true], nullable: true },
    features: [
      { kind: "number", name: "age", bounds: [18, 90], nullable: true },
      { kind: "category", name: "sector", categories: ["a", "b", "c"], nullable: true },
    ],
    rounds: 4,
    clip: 0.5,
  });
});

it.each([
  ["target: sector\nfeatures: [age]", "line 4, target"],
  ["target: member\nfeatures: [free]", "line 5, features[0]"],
  ["target: member\nfeatures: [height]", "line 5, features[0]"],
  ["target: member\nfeatures: [age, member]", "line 5, features"],
  ["target: member\nfeatures: [age]\nwhere: age >", "line 6, where"],
  ["target: member\nfeatures: [age]\nrounds: 0", "line 6, rounds"],
  ["target: member\nfeatures: [age]\nbins: 257", "line 6, bins"],
  ["target: member\nfeatures: [age]\nrate: 1.5", "line 6, rate"],
  ["target: member\nfeatures: [age]\ncountShare: 1", "line 6, countShare"],
  ["target: member\nfeatures: [age]\nclip: 0", "line 6, clip"],
  ["target: member\nfeatures: [age]\ndepth: 3", 'unknown key "depth"'],
])("refuses %j, and names the place", async (rest, place) => {
  await expect(readBoostingTask(file(rest), policy)).rejects.toMatchObject({
    code: "model.invalid",
    message: expect.stringContaining(place),
  });
});

it("knows a boosting from other models", () => {
  expect(modelKindOf("version: 1\nmodel: pca")).toBe("pca");
  expect(modelKindOf("[]")).toBe(null);
  expect(modelKindOf("model: [boosting]")).toBe(null);
});
