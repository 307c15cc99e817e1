import type { Plan, TreeMeasurement } from "@lethe/query";
import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { eventFollows, measurementsExist, sensitivitiesHold } from "../checks/noise.ts";
import { columnsAreThePolicys } from "../checks/policy.ts";
import { numberColumn, planOf } from "../testing/plan-of.ts";
import { deriveTreeSensitivity } from "./tree-sensitivity.ts";

const tree = (over: Partial<TreeMeasurement> = {}): TreeMeasurement => ({
  name: "t0",
  argument: numberColumn("x", true),
  grid: { exponent: 0, lo: "-1", hi: "2" },
  cellWidth: "1",
  branching: 2,
  height: 2,
  rowWeight: 6,
  l1: "0",
  l2Squared: "0",
  noise: { mechanism: "discrete-laplace@1", scale: "5" },
  ...over,
});

/** The cells of every unit that has up to `most` rows in a group: what the plan says it computes, spelled out. */
function unitCells({ rowWeight }: TreeMeasurement, most: number, r: number): readonly (readonly number[])[] {
  let tables: (readonly number[])[] = [[]];
  const found: (readonly number[])[] = [[0, 0, 0, 0]];
  for (let n = 1; n <= most; n += 1) {
    tables = tables.flatMap((rows) =>
      [0, 1, 2, 3].filter((cell) => cell >= (rows.at(-1) ?? 0)).map((cell) => [...rows, cell]),
    );
    for (const rows of tables) {
      found.push(
        [0, 1, 2, 3].map(
          (cell) => rows.filter((c) => c === cell).length * Math.floor((rowWeight * Math.min(n, r)) / n),
        ),
      );
    }
  }
  return found;
}

const nodes = ([a, b, c, d]: readonly number[]): readonly number[] => [a! + b!, c! + d!, a!, b!, c!, d!];

describe("the sensitivity of a tree", () => {
  it.each([
    ["row", "add-or-remove-one", 1],
    ["row", "replace-one", 1],
    ["column", "add-or-remove-one", 1],
    ["column", "add-or-remove-one", 3],
    ["column", "replace-one", 2],
  ] as const)(
    "is the brute-force maximum over all units' rows: unit %s, %s, r = %i",
    (kind, adjacency, r) => {
      const unit = kind === "row" ? ({ kind } as const) : ({ kind, column: "u" } as const);
      const plan = planOf({ sums: [], terms: [], unit, adjacency, rows: r });
      const all = unitCells(tree(), kind === "row" ? 1 : 5, r).map(nodes);
      const others = adjacency === "replace-one" ? all : [nodes([0, 0, 0, 0])];
      let [l1, l2Squared] = [0, 0];
      for (const a of all) {
        for (const b of others) {
          const moved = a.map((x, at) => Math.abs(x - b[at]!));
          l1 = Math.max(
            l1,
            moved.reduce((x, y) => x + y),
          );
          l2Squared = Math.max(
            l2Squared,
            moved.reduce((x, y) => x + y * y, 0),
          );
        }
      }
      expect(deriveTreeSensitivity(tree(), plan)).toEqual({ l1: BigInt(l1), l2Squared: BigInt(l2Squared) });
    },
  );

  it("grows with the groups of a unit, up to those there are", () => {
    const unit = { kind: "column", column: "u" } as const;
    const keys = { kind: "public", declared: [["a"], ["b"]] } as const;
    const one = deriveTreeSensitivity(tree(), planOf({ sums: [], terms: [], unit }));
    const many = deriveTreeSensitivity(tree(), planOf({ sums: [], terms: [], unit, groups: 5, keys }));
    expect(many).toEqual({ l1: 2n * one.l1, l2Squared: 2n * one.l2Squared });
  });

  it("is that of all a unit's rows in one group, where its rows are bounded wherever they lie", () => {
    const unit = { kind: "column", column: "u" } as const;
    const keys = { kind: "public", declared: [["a"], ["b"], ["c"]] } as const;
    const bound = "rows-before-filter";
    for (const adjacency of ["add-or-remove-one", "replace-one"] as const) {
      const parts = { sums: [], terms: [], unit, adjacency };
      const bounded = planOf({ ...parts, limit: bound, groups: 2, rows: 3, keys });
      expect(deriveTreeSensitivity(tree(), bounded)).toEqual(
        deriveTreeSensitivity(tree(), planOf({ ...parts, rows: 6 })),
      );
      const nowhere = planOf({
        ...parts,
        limit: bound,
        groups: 2,
        rows: 3,
        keys: { kind: "public", declared: [] },
      });
      expect(deriveTreeSensitivity(tree(), nowhere)).toEqual({ l1: 0n, l2Squared: 0n });
    }
  });

  it("is not derived where values have no cell", () => {
    const plan = planOf({ sums: [], terms: [] });
    const turned = { exponent: 0, lo: "3", hi: "2" };
    for (const wrong of [{ cellWidth: "0" }, { height: 1 }, { grid: turned }])
      expect(() => deriveTreeSensitivity(tree(wrong), plan)).toThrow(RangeError);
  });
});

describe("a plan with trees", () => {
  const priced = tree({ l1: "12", l2Squared: "72" });
  const plan: Plan = {
    ...planOf({ sums: [], terms: [] }),
    measurements: [],
    trees: [priced],
    aggregates: [{ name: "MEDIAN(x)", kind: "quantile", tree: "t0", share: 0.5, standsFor: null }],
    event: {
      kind: "compose",
      version: 1,
      events: [{ kind: "laplace", version: 1, scale: "5", l1: "12" }],
    },
  };
  const outcomes = (given: Plan): readonly string[] =>
    [sensitivitiesHold, eventFollows, measurementsExist].map((judge) => judge(given).outcome);

  it("passes, and fails where it states less than it does", () => {
    expect(outcomes(plan)).toEqual(["passed", "passed", "passed"]);
    expect(outcomes({ ...plan, trees: [{ ...priced, l1: "11" }] })).toEqual(["failed", "failed", "passed"]);
    expect(outcomes({ ...plan, trees: [{ ...priced, l2Squared: "71" }] })[0]).toBe("failed");
    expect(outcomes({ ...plan, trees: [{ ...priced, noise: { mechanism: "constant@1" } }] })[0]).toBe(
      "failed",
    );
    expect(outcomes({ ...plan, trees: [priced, { ...priced, name: "t1" }] })[1]).toBe("failed");
    expect(outcomes({ ...plan, trees: [] })).toEqual(["passed", "failed", "failed"]);
  });

  it("reads columns that the policy declares, and no other", () => {
    const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  t: { file: t.csv, unit: row, columns: { y: { type: integer, bounds: [-1, 2] } } }
budget: { measure: pure, epsilon: 1 }
`);
    expect(columnsAreThePolicys(plan, policy)).toMatchObject({
      outcome: "failed",
      says: expect.stringMatching(/column x/),
    });
  });
});
