import { type Exact, seal, type UnitRows } from "@lethe/core/mechanisms";
import { asDraws, drawsFrom, SeededSource } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";
import { planBoosting } from "../plan/plan-boosting.ts";
import { trainBoosting } from "./train-boosting.ts";
import { trainSealedBoosting } from "./train-sealed-boosting.ts";

const plan = planBoosting({
  target: { kind: "category", name: "member", categories: [false, true], nullable: false },
  features: [
    { kind: "number", name: "age", bounds: [0, 4], nullable: true },
    { kind: "category", name: "sector", categories: ["a", "b"], nullable: true },
  ],
  adjacency: "add-or-remove-one",
  budget: { epsilon: 5, delta: 1e-6 },
  rows: 2,
  rounds: 3,
});
const rows = Array.from({ length: 300 }, (_, row) => ({
  age: row % 7 === 0 ? Number.NaN : row % 5,
  sector: row % 3,
  target: (row * row) % 2,
}));
const lists = {
  features: [rows.map(({ age }) => age), rows.map(({ sector }) => sector)],
  target: rows.map(({ target }) => target),
};
const offsets = [0, 1, 4, ...Array.from({ length: 148 }, (_, unit) => 6 + 2 * unit)];
const sealed = (given: readonly number[]): Exact<UnitRows> =>
  seal({
    columns: [...lists.features, lists.target].map((list) => Float64Array.from(list)),
    offsets: Uint32Array.from(given),
  });

describe("rows that stay sealed", () => {
  it.each([
    ["every row a unit", undefined, Array.from({ length: 301 }, (_, row) => row)],
    ["units of several rows", offsets, offsets],
  ] as const)("give the model of lists, the target last: %s", (_, given, all) => {
    const model = trainSealedBoosting(plan, sealed(all), drawsFrom(new SeededSource(3)));
    const fromLists = trainBoosting(
      plan,
      given === undefined ? lists : { ...lists, offsets: given },
      drawsFrom(new SeededSource(3)),
    );
    expect(model).toEqual(fromLists);
    expect(model.shapes.flatMap(({ bins }) => bins).some(({ value }) => value !== 0)).toBe(true);
  });

  it("are left as they were, so that a run that died is run again", () => {
    const own = sealed(offsets);
    const first = trainSealedBoosting(plan, own, drawsFrom(new SeededSource(4)));
    expect(trainSealedBoosting(plan, own, drawsFrom(new SeededSource(4)))).toEqual(first);
  });

  it("fail by one constant, before anything is drawn, where a column is missing", () => {
    const none = (): never => expect.unreachable();
    const draws = asDraws({ noise: none, selection: none, tree: none });
    const few = seal({ columns: [new Float64Array(2)], offsets: Uint32Array.from([0, 2]) });
    expect(() => trainSealedBoosting(plan, few, draws)).toThrow(
      expect.objectContaining({ code: "internal.invariant", fields: {} }),
    );
  });
});
