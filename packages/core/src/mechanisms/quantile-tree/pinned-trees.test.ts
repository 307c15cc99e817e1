import { describe, expect, it } from "vitest";
import { one, ratio } from "../../numeric/rational.ts";
import type { Noise } from "../noise.ts";
import { cellCount, mostCells } from "./noisy-cells.ts";
import { type QuantileTreeRelease, readQuantileTree } from "./quantile-tree.ts";
import { rankErrorBound, rankNoise } from "./rank-noise.ts";
import { mostLeaves, type QuantileTreeSetting, treeShape } from "./tree-shape.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const laplace: Noise = { mechanism: "discrete-laplace@1", scale: "2" };
const setting = (over: Partial<QuantileTreeSetting> = {}): QuantileTreeSetting => ({
  range: { lo: 0n, hi: 99n },
  branching: 2,
  height: 2,
  adjacency: "add-or-remove-one",
  noise: laplace,
  ...over,
});
/** To twelve digits: functions of the platform may differ in the last ones. */
const digits = (x: number): number => Number(x.toPrecision(12));
const tenth = ratio(1n, 10n);

/** Counts that add up, so that the estimates are the counts: 4 rows, none, 8 and 8. */
const even: QuantileTreeRelease = [[20n], [4n, 16n], [4n, 0n, 8n, 8n]];
/** Counts under noise, that do not add up. */
const odd: QuantileTreeRelease = [[90n], [61n, 43n], [50n, -4n, 13n, 22n]];

describe("rows in leaves of 25 numbers", () => {
  const tree = readQuantileTree(setting(), even);

  it.each([
    [-1n, 0],
    [0n, 4 / 25],
    [11n, (4 * 12) / 25],
    [24n, 4],
    [25n, 4],
    [49n, 4],
    [50n, 4 + 8 / 25],
    [62n, 4 + (8 * 13) / 25],
    [98n, 12 + (8 * 24) / 25],
    [99n, 20],
    [100n, 20],
  ])("have rank(%s) = %d: spread evenly inside a leaf", (y, rank) => {
    expect(digits(tree.rank(y))).toBe(digits(rank));
  });

  it.each([
    [0, 6n],
    [0.04, 6n],
    [0.05, 6n],
    [0.1, 12n],
    [0.2, 24n],
    [0.2000001, 50n],
    [0.25, 53n],
    [0.5, 68n],
    [0.6, 74n],
    [0.60001, 75n],
    [0.95, 96n],
    [1, 99n],
  ])("have quantile(%d) = %s: the first row at least, an end of a leaf before the next", (q, value) => {
    expect(tree.quantile(q)).toBe(value);
  });

  it("have 20 rows", () => {
    expect(tree.rows).toBe(20);
  });
});

describe("a last leaf that is shorter", () => {
  // Leaves of 7: −5…1, 2…8, 9…15, 16…21.
  const tree = readQuantileTree(setting({ range: { lo: -5n, hi: 21n } }), even);
  it.each([
    [-6n, 0],
    [-5n, 4 / 7],
    [1n, 4],
    [2n, 4],
    [15n, 12],
    [16n, 12 + 8 / 6],
    [20n, 12 + 40 / 6],
    [21n, 20],
  ])("has rank(%s) = %d", (y, rank) => {
    expect(digits(tree.rank(y))).toBe(digits(rank));
  });
  it.each([
    [0, -4n],
    [0.1, -2n],
    [0.2, 1n],
    [0.25, 9n],
    [0.6, 15n],
    [0.60001, 16n],
    [0.95, 21n],
    [1, 21n],
  ])("has quantile(%d) = %s", (q, value) => {
    expect(tree.quantile(q)).toBe(value);
  });
});

it("leaves beyond the range read as its end", () => {
  const tree = readQuantileTree(setting({ range: { lo: 0n, hi: 2n } }), [[3n], [1n, 2n], [1n, 0n, 0n, 2n]]);
  expect([0n, 1n, 2n, 3n].map((y) => tree.rank(y))).toEqual([1, 1, 3, 3]);
  expect([0, 0.5, 1].map((q) => tree.quantile(q))).toEqual([0n, 2n, 2n]);
  expect(tree.quantileInterval(1, tenth)).toEqual({ value: 2n, lower: 0n, upper: 2n });
});

it("counts below 0 are no rows, and every quantile is the first number", () => {
  const tree = readQuantileTree(setting(), [[-3n], [-1n, -2n], [0n, 2n, -4n, 1n]]);
  expect(tree.rows).toBe(0);
  expect([24n, 50n, 99n].map((y) => tree.rank(y))).toEqual([0, 0, 0]);
  expect([0, 0.5, 1].map((q) => tree.quantile(q))).toEqual([0n, 0n, 0n]);
});

describe("intervals, to twelve digits", () => {
  type Ends = readonly [
    at: bigint | number,
    value: number | bigint,
    lower: number | bigint,
    upper: number | bigint,
  ];
  const known = { knownRows: 90n, adjacency: "replace-one" } as const;
  const nineths: QuantileTreeRelease = [
    [500n],
    [170n, 160n, 165n],
    [50n, 50n, 60n, 55n, 60n, 50n, 40n, 70n, 60n],
  ];
  const gaussian: Noise = { mechanism: "rounded-gaussian@1", sigma: "3/4" };
  const cases: readonly (readonly [
    string,
    QuantileTreeSetting,
    QuantileTreeRelease,
    bigint,
    readonly Ends[],
  ])[] = [
    [
      "discrete Laplace",
      setting(),
      odd,
      10n,
      [
        [-1n, 0, 0, 0],
        [24n, 54.0952380952, 46.9783156698, 61.2121605206],
        [30n, 54.1180952381, 46.9783156698, 60.1530004368],
        [49n, 54.1904761905, 48.2279519441, 60.1530004368],
        [74n, 68.9523809524, 61.2522524544, 76.6525094504],
        [80n, 74.6552380952, 61.2522524544, 99.4527916642],
        [99n, 92.7142857143, 85.9757797643, 99.4527916642],
        [0, 0n, 0n, 24n],
        [0.3, 12n, 0n, 24n],
        [0.5, 21n, 0n, 74n],
        [0.6, 52n, 0n, 99n],
        [0.9, 90n, 50n, 99n],
        [1, 99n, 75n, 99n],
      ],
    ],
    [
      "discrete Laplace around no rows",
      setting(),
      even,
      10n,
      [
        [0n, 0.16, 0, 11.1169223527],
        [25n, 4, 0, 9.96252417365],
        [98n, 19.68, 4.29987157469, 26.7385058772],
        [99n, 20, 13.2614941228, 26.7385058772],
        [0, 6n, 0n, 74n],
        [0.05, 6n, 0n, 74n],
        [0.1, 12n, 0n, 99n],
      ],
    ],
    [
      "rounded Gaussian",
      setting({ noise: gaussian }),
      odd,
      10n,
      [
        [24n, 54.0952380952, 52.5474765039, 55.6429996866],
        [49n, 54.1904761905, 52.8329994634, 55.5479529176],
        [80n, 74.6552380952, 67.0812284489, 94.2013269549],
        [99n, 92.7142857143, 91.2272444737, 94.2013269549],
        [0.5, 21n, 0n, 24n],
        [0.6, 52n, 0n, 74n],
        [0.7, 68n, 50n, 74n],
        [0.9, 90n, 75n, 99n],
      ],
    ],
    [
      "discrete Gaussian",
      setting({ noise: { mechanism: "discrete-gaussian@1", sigmaSquared: "9" } }),
      odd,
      10n,
      [
        [30n, 54.1180952381, 48.3176072716, 59.2577936483],
        [99n, 92.7142857143, 87.1633175677, 98.2652538608],
        [0.7, 68n, 0n, 99n],
      ],
    ],
    [
      "a known number of rows",
      setting(known),
      odd,
      10n,
      [
        [24n, 53.125, 46.5830207968, 60.2503125365],
        [49n, 53.125, 48.1016581575, 57.5650085092],
        [80n, 72.4566666667, 60.0830207968, 90],
        [99n, 90, 89.99999991, 90],
        [0.5, 21n, 0n, 74n],
        [0.6, 51n, 0n, 74n],
        [0.7, 67n, 50n, 99n],
        [1, 99n, 75n, 99n],
      ],
    ],
    [
      "nine leaves at one in a thousand",
      setting({ noise: gaussian, range: { lo: 0n, hi: 80n }, branching: 3 }),
      nineths,
      1000n,
      [
        [8n, 52.8846153846, 50.2060071389, 55.5632236303],
        [9n, 58.7606837607, 50.2060071389, 108.779726481],
        [40n, 255.641025641, 219.366987647, 285.45319597],
        [80n, 498.461538462, 495.854372631, 501.068704292],
        [0.2, 16n, 9n, 17n],
        [0.5, 40n, 36n, 44n],
        [0.8, 66n, 63n, 71n],
        [1, 80n, 72n, 80n],
      ],
    ],
  ];
  it.each(cases)("under %s", (_name, each, release, inverse, due) => {
    const tree = readQuantileTree(each, release);
    const alpha = ratio(1n, inverse);
    const found = due.map(([at]) => {
      if (typeof at === "number") {
        const { value, lower, upper } = tree.quantileInterval(at, alpha);
        return [at, value, lower, upper];
      }
      const { value, lower, upper } = tree.rankInterval(at, alpha);
      return [at, digits(value), digits(lower), digits(upper)];
    });
    expect(found).toEqual(due);
  });
});

describe("the noise of a rank", () => {
  it.each([
    [2, 3, false, 0, 0, 0],
    [2, 3, false, 3, 0.819047619867, 0.504761905267],
    [2, 3, true, 3, 0.744047619792, 0.529761905292],
    [3, 2, false, 4, 1.1923076935, 0.67307692375],
    [3, 2, false, 9, 0.692307693, 0.692307693],
    [3, 2, true, 9, 0, 0],
    [3, 2, true, 4, 1.05555555661, 0.638888889528],
    [4, 1, false, 1, 0.8000000008, 0.8000000008],
  ])(
    "at a boundary of %i^%i leaves, rows known %s, before %i",
    (branching, height, known, before, squares, largest) => {
      const noise = rankNoise({ branching, height, known }, before);
      expect({ squares: digits(noise.squares), largest: digits(noise.largest) }).toEqual({
        squares,
        largest,
      });
    },
  );

  it.each<readonly [Noise, number, number]>([
    [laplace, 1, 14.0464202565],
    [laplace, 50, 14.0464202565],
    [{ mechanism: "rounded-gaussian@1", sigma: "3/4" }, 1, 3.45139158476],
    [{ mechanism: "rounded-gaussian@1", sigma: "3/4" }, 50, 3.45208204433],
    [{ mechanism: "rounded-gaussian@1", sigma: "1/4" }, 1, 1.74104274071],
    [{ mechanism: "rounded-gaussian@1", sigma: "1/4" }, 50, 4.4453236279],
    [{ mechanism: "discrete-gaussian@1", sigmaSquared: "9" }, 50, 12.8840822633],
  ])("reaches as far as the bound says: %o of %i nodes", (noise, nodes, reach) => {
    expect(digits(rankErrorBound(noise, { squares: 2.5, largest: 0.75 }, nodes, ratio(1n, 20n)))).toBe(reach);
  });

  it("refuses a noise that it does not know, and says 0 where there is none", () => {
    const unknown = { mechanism: "cauchy@1" } as unknown as Noise;
    expect(() => rankErrorBound(unknown, { squares: 1, largest: 1 }, 1, tenth)).toThrow(invalid);
    expect(rankErrorBound(laplace, { squares: 0, largest: 0 }, 1, tenth)).toBe(0);
  });
});

describe("both ends of a shape", () => {
  it.each([
    [{ branching: 2, height: 1 }, 2],
    [{ branching: 1024, height: 2 }, mostLeaves],
    [{ branching: 2, height: 20 }, mostLeaves],
  ])("%o has %i leaves", (shape, leaves) => {
    expect(treeShape({ ...setting(), ...shape }).leaves).toBe(leaves);
  });
  it.each([
    { branching: 1025, height: 1 },
    { branching: 1, height: 1 },
    { branching: 2, height: 21 },
    { branching: 2, height: 0 },
    { branching: 2, height: 1.5 },
    { knownRows: 0n },
    { knownRows: -1n, adjacency: "replace-one" as const },
    { knownRows: 1 as unknown as bigint, adjacency: "replace-one" as const },
  ])("refuses %o", (shape) => {
    expect(() => treeShape({ ...setting(), ...shape })).toThrow(invalid);
  });
  it("takes 0 known rows, and one number", () => {
    expect(treeShape(setting({ knownRows: 0n, adjacency: "replace-one" })).noisyLevels).toBe(2);
    expect(treeShape(setting({ range: { lo: 5n, hi: 5n } })).leafWidth).toBe(1n);
    expect(treeShape(setting()).leafWidth).toBe(25n);
    expect(treeShape(setting({ range: { lo: 0n, hi: 100n } })).leafWidth).toBe(26n);
  });
  it("of a tree of cells", () => {
    expect(mostCells).toBe(65_536);
    expect(mostLeaves).toBe(1_048_576);
    expect(cellCount({ branching: 4096, height: 1 })).toBe(4096);
    expect(cellCount({ branching: 2, height: 16 })).toBe(65_536);
    expect(cellCount({ branching: 2, height: 1 })).toBe(2);
    for (const wrong of [
      { branching: 4097, height: 1 },
      { branching: 1, height: 1 },
      { branching: 2.5, height: 1 },
      { branching: 2, height: 17 },
      { branching: 2, height: 0 },
      { branching: 4, height: 1.5 },
    ]) {
      expect(() => cellCount(wrong)).toThrow(invalid);
    }
  });
  it("of a share and an alpha", () => {
    const tree = readQuantileTree(setting(), even);
    expect([tree.quantile(0), tree.quantile(1)]).toEqual([6n, 99n]);
    for (const q of [-Number.MIN_VALUE, 1 + 2 ** -52, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => tree.quantile(q)).toThrow(invalid);
    for (const alpha of [ratio(0n), one, ratio(-1n, 2n), ratio(3n, 2n)])
      expect(() => rankErrorBound(laplace, { squares: 1, largest: 1 }, 1, alpha)).toThrow(invalid);
  });
});
