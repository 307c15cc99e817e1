import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal } from "../../exact/exact.ts";
import { expBracket } from "../../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  parseRational,
  type Rational,
  ratio,
  sum,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { price } from "../../price.ts";
import { enumerateTapes, openExact, SeededSource } from "../../tape.ts";
import { cellAxis, cellCounts } from "./cell-counts.ts";
import { countAt, distance, distanceFrom, estimateGrid } from "./distance-score.ts";
import {
  choiceCost,
  measurementCost,
  openTableSession,
  type TableCandidate,
  type TableSessionSetting,
  tableSensitivity,
  tableSessionEvent,
} from "./table-session.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const spent = expect.objectContaining({ code: "mechanism.spent" });
const setting = (over: Partial<TableSessionSetting> = {}): TableSessionSetting => ({
  measure: "gaussian-dp",
  total: "100",
  adjacency: "add-or-remove-one",
  rowsPerUnit: 1,
  ...over,
});
const candidate = (
  table: ArrayLike<number>,
  estimate: readonly number[],
  over: Partial<TableCandidate> = {},
): TableCandidate => ({
  distance: distanceFrom(seal(table), Float64Array.from(estimate)),
  weight: 1,
  allowance: 0,
  ...over,
});

/** All counts of at most r rows over some cells. */
function unitsOf(cells: number, rows: number): readonly (readonly number[])[] {
  if (cells === 0) return [[]];
  return Array.from({ length: rows + 1 }, (_, here) => here).flatMap((here) =>
    unitsOf(cells - 1, rows - here).map((rest) => [here, ...rest]),
  );
}

describe("how far tables move", () => {
  it.each([
    ["add-or-remove-one", 1, 1n, 1n],
    ["add-or-remove-one", 3, 3n, 9n],
    ["replace-one", 1, 2n, 2n],
    ["replace-one", 3, 6n, 18n],
  ] as const)("%s, %i rows: as far as the worst of all units", (adjacency, rows, l1, l2Squared) => {
    const units = unitsOf(3, rows);
    const none = [[0, 0, 0]];
    let most = [0, 0];
    for (const a of units) {
      for (const b of adjacency === "replace-one" ? units : none) {
        const moved = a.map((x, i) => Math.abs(x - b[i]!));
        most = [
          Math.max(
            most[0]!,
            moved.reduce((t, x) => t + x, 0),
          ),
          Math.max(
            most[1]!,
            moved.reduce((t, x) => t + x * x, 0),
          ),
        ];
      }
    }
    expect(tableSensitivity(adjacency, rows)).toEqual({ l1, l2Squared });
    expect(most).toEqual([Number(l1), Number(l2Squared)]);
  });

  it("a difference of two scores moves by at most 2·weight·Δ₁, and that far", () => {
    const estimates = [
      [0, 0],
      [3, 2.5],
      [9, 9],
      [9, 0],
      [0, 9],
    ];
    for (const [adjacency, rows] of [
      ["add-or-remove-one", 2],
      ["replace-one", 1],
    ] as const) {
      const bound = 2 * estimateGrid * Number(tableSensitivity(adjacency, rows).l1);
      let most = 0;
      const units = unitsOf(2, rows);
      for (const a of units) {
        for (const b of adjacency === "replace-one" ? units : [[0, 0]]) {
          const score = (unit: readonly number[], estimate: readonly number[]) =>
            Number(distance([4 + unit[0]!, 4 + unit[1]!], Float64Array.from(estimate)));
          for (const first of estimates) {
            for (const second of estimates) {
              const moved = score(a, first) - score(b, first) - (score(a, second) - score(b, second));
              most = Math.max(most, Math.abs(moved));
            }
          }
        }
      }
      expect(most).toBeLessThanOrEqual(bound);
      expect(most).toBe(bound);
    }
  });

  it("distances are exact integers, also where doubles would round, and total on what is no number", () => {
    const far = [Number.NaN, -3, 2.5, 2 ** 60, 7];
    expect(far.map((_, i) => countAt(far, i))).toEqual([0, 0, 0, 2 ** 40, 7]);
    expect(countAt([], 3)).toBe(0);
    const table = new Float64Array(40).fill(2 ** 40);
    const estimate = new Float64Array(40).fill(-(2 ** 41));
    estimate[0] = Number.NaN;
    estimate[1] = 2 ** 40 - 1 / estimateGrid;
    expect(distance(table, estimate)).toBe(2n ** 50n + 1n + 38n * 2n ** 51n);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(1000), fc.double({ min: -10, max: 1000, noNaN: true })), { maxLength: 6 }),
        (cells) => {
          const [counts, expected] = [cells.map(([x]) => x), Float64Array.from(cells, ([, e]) => e)];
          const exact = cells.reduce(
            (total, [x, e]) => total + BigInt(Math.abs(x * 1024 - Math.round(e * 1024))),
            0n,
          );
          expect(distance(counts, expected)).toBe(exact);
        },
      ),
    );
  });
});

describe("a choice", () => {
  const tables = [
    candidate([3, 0], [1, 1]),
    candidate([2, 2], [2, 2.5], { weight: 2, allowance: -1 }),
    candidate([0, 0], [0, 1]),
  ];
  // 3, 2·(1/2 + 1) = 3, 1 rows; the range is 2·2·r rows.
  const scores = [3n, 3n, 1n];
  function law(rate: Rational) {
    const weights = scores.map((score) => expBracket(negate(multiply(rate, ratio(3n - score))), 160));
    const [low, high] = [sum(weights.map(({ lo }) => lo)), sum(weights.map(({ hi }) => hi))];
    return weights.map(({ lo, hi }) => ({ lo: divide(lo, high), hi: divide(hi, low) }));
  }
  it.each([
    ["add-or-remove-one", 1, ratio(2n, 4n)],
    ["replace-one", 3, ratio(2n, 24n)],
  ] as const)(
    "%s, %i rows a unit: follows its law, every tape enumerated",
    (adjacency, rowsPerUnit, rate) => {
      const { masses, residual } = enumerateTapes(
        (bits) => openTableSession(setting({ adjacency, rowsPerUnit }), bits).choose(tables, { epsilon: 2 }),
        { depth: 2 },
      );
      expect(compare(residual, ratio(1n, 1n << 28n))).toBeLessThan(0);
      const agrees = (expected: ReturnType<typeof law>): boolean =>
        expected.every(({ lo, hi }, i) => {
          const found = masses.get(i) ?? zero;
          return compare(found, hi) <= 0 && compare(add(found, residual), lo) >= 0;
        });
      expect(agrees(law(rate))).toBe(true);
      // Without the 2 of 2Δ the law would be another.
      expect(agrees(law(multiply(rate, ratio(2n))))).toBe(false);
    },
  );

  it("is within its bounded range on all neighbours, and would not be for one row of three", () => {
    const estimates = [Float64Array.of(0), Float64Array.of(9)];
    const chances = (count: number, range: number) => {
      const weights = estimates.map((e) => Math.exp(Number(distance([count], e)) / 1024 / range));
      const total = weights.reduce((a, b) => a + b, 0);
      return weights.map((w) => w / total);
    };
    const spread = (range: number) => {
      const [p, q] = [chances(4, range), chances(1, range)];
      const ratios = p.map((x, i) => Math.log(x / q[i]!));
      return Math.max(...ratios) - Math.min(...ratios);
    };
    // ε = 1: rate 1/(2·3) for three rows a unit.
    expect(spread(6)).toBeCloseTo(1, 12);
    expect(spread(2)).toBeCloseTo(3, 12);
  });
});

describe("a session", () => {
  it("is priced as its whole, by either measure", () => {
    const gaussian = tableSessionEvent(setting({ total: "1/25" }));
    expect(gaussian).toEqual({ kind: "gaussian-dp", version: 1, muSquared: "1/25", of: "table-session" });
    expect(tableSessionEvent(setting({ total: "1/25", measure: "zcdp" }))).toMatchObject({ rho: "1/50" });
    const delta = parseRational("1e-9");
    expect(price(gaussian, { measure: "approximate", delta })).toEqual(
      price(
        { kind: "rounded-gaussian", version: 1, sigma: "5", l2Squared: "1" },
        { measure: "approximate", delta },
      ),
    );
    expect(toText(choiceCost["gaussian-dp"](ratio(2n)))).toBe("3927/2500");
    expect(toText(choiceCost.zcdp(ratio(2n)))).toBe("1");
    expect(toText(measurementCost(ratio(3n), { l2Squared: 18n }))).toBe("2");
  });

  it("never gives more than its total, whatever is asked in view of the answers", () => {
    const request = fc.oneof(
      fc.record({ kind: fc.constant("measure" as const), sigma: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ kind: fc.constant("choose" as const), epsilon: fc.integer({ min: 1, max: 200 }) }),
    );
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 40 }),
        fc.constantFrom("gaussian-dp" as const, "zcdp" as const),
        fc.nat(),
        (requests, measure, seed) => {
          const total = ratio(1n, 3n);
          const session = openTableSession(
            setting({ total, measure, adjacency: "replace-one" }),
            new SeededSource(seed),
          );
          let given = zero;
          let answer = 0;
          for (const each of requests) {
            // The adversary asks for more after odd answers.
            const bolder = BigInt(1 + Math.abs(answer % 2));
            const cost =
              each.kind === "measure"
                ? measurementCost(divide(ratio(BigInt(each.sigma)), ratio(bolder)), { l2Squared: 2n })
                : choiceCost[measure](multiply(ratio(BigInt(each.epsilon), 100n), ratio(bolder)));
            const before = session.left;
            try {
              answer =
                each.kind === "measure"
                  ? session.measure(seal([5]), {
                      sigma: divide(ratio(BigInt(each.sigma)), ratio(bolder)),
                      cells: 1,
                    })[0]!
                  : session.choose([candidate([1], [0]), candidate([5], [5])], {
                      epsilon: multiply(ratio(BigInt(each.epsilon), 100n), ratio(bolder)),
                    });
              given = add(given, cost);
            } catch (error) {
              expect(error).toEqual(spent);
              expect(session.left).toEqual(before);
              expect(compare(add(given, cost), total)).toBeGreaterThan(0);
            }
            expect(compare(given, total)).toBeLessThanOrEqual(0);
            expect(add(given, session.left)).toEqual(total);
          }
        },
      ),
      { seed: 5 },
    );
  });

  // 20,000 draws at σ = 7: the mean is within 5.5 deviations of 0 and the variance within 5.5 of σ² + 1/12 (deviation √(2/n)), false alarm 8e-8.
  // A σ off by 10 % moves the variance by 20 %, which is 20 deviations.
  it("adds rounded Gaussian noise of the σ that it charges to every cell", () => {
    const session = openTableSession(setting(), new SeededSource(3));
    const cells = 20_000;
    const table = new Float64Array(cells).fill(11);
    const noise = session.measure(seal(table), { sigma: 7, cells }).map((x) => x - 11);
    expect(toText(session.left)).toBe(toText(ratio(100n * 49n - 1n, 49n)));
    const mean = noise.reduce((a, b) => a + b, 0) / cells;
    const variance = noise.reduce((a, b) => a + b * b, 0) / cells;
    expect(Math.abs(mean)).toBeLessThan(5.5 * Math.sqrt(49 / cells));
    expect(Math.abs(variance / (49 + 1 / 12) - 1)).toBeLessThan(5.5 * Math.sqrt(2 / cells));
    expect(noise.every(Number.isInteger)).toBe(true);
    expect(toDouble(session.left, "down")).toBeLessThan(100);
  });

  it("refuses what has no meaning, and spends nothing on it", () => {
    const session = openTableSession(setting(), new SeededSource(1));
    expect(() => session.measure(seal([1]), { sigma: 0, cells: 1 })).toThrow(invalid);
    expect(() => session.measure(seal([1]), { sigma: 1, cells: 0 })).toThrow(invalid);
    expect(() => session.choose([], { epsilon: 1 })).toThrow(invalid);
    expect(() => session.choose([candidate([1], [1])], { epsilon: 0 })).toThrow(invalid);
    for (const over of [{ weight: 0 }, { weight: 1.5 }, { weight: 2 ** 21 }, { allowance: Number.NaN }]) {
      expect(() => session.choose([candidate([1], [1], over)], { epsilon: 1 })).toThrow(invalid);
    }
    expect(toText(session.left)).toBe("100");
    for (const wrong of [
      { total: 0 },
      { rowsPerUnit: 0 },
      { adjacency: "other" as never },
      { measure: "pure" as never },
    ]) {
      expect(() => openTableSession(setting(wrong), new SeededSource(1))).toThrow(invalid);
    }
  });
});

describe("cells of sealed rows", () => {
  it("are counted by their keys, and nothing in the rows can make it fail", () => {
    const group = (key: readonly (string | null | bigint)[], ...sums: unknown[]) => ({
      ...{ key, units: 0n, sums: sums as bigint[] },
    });
    const rows = seal({
      groups: [
        group(["a", 1n], 3n, 9n),
        group(["b", 2n], 4n),
        group([null, 2n], 5n),
        group(["b", 2n], 1n),
        group(["zz", 2n], 8n),
        group(["a"], 7n),
        group(["a", 2n], undefined),
      ],
    });
    const axes = [cellAxis(["a", "b", null]), cellAxis([1n, 2n, 3n], [0, 1, 1])];
    expect(axes.map(({ size }) => size)).toEqual([3, 2]);
    expect([...Array.from(openExact(cellCounts(rows, axes)))]).toEqual([3, 0, 0, 5, 0, 5]);
    expect([...Array.from(openExact(cellCounts(rows, [])))]).toEqual([28]);
  });
});
