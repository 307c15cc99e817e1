import { describe, expect, it } from "vitest";
import { seededWords } from "../../../../testing/src/contracts/mechanism-release-contract.ts";
import { seal } from "../exact/exact.ts";
import type { ExactGroup, KeyValue } from "../exact/exact-rows.ts";
import { drawsFrom } from "./draws.ts";
import type { MeasurementProgram, TotalsProgram } from "./release-program.ts";
import { releaseTotals } from "./release-totals.ts";

const exactly = (column: number, coefficient = "1"): MeasurementProgram => ({
  terms: [{ column, coefficient }],
  noise: { mechanism: "constant@1" },
});
const group = (key: readonly KeyValue[], ...sums: bigint[]): ExactGroup => ({ key, units: 9n, sums });
const groups = [
  group(["north", 1n], 10n, 1n),
  group(["north", 2n], 20n, 2n),
  group(["south", 1n], 40n, 4n),
  group([null, 1n], 80n, 8n),
  group(["(other)", null], 160n, 16n),
];
const total = (
  released: readonly (readonly KeyValue[])[],
  program: TotalsProgram,
  rows: readonly ExactGroup[] = groups,
) =>
  releaseTotals(
    seal({ groups: rows }),
    { keys: { kind: "none" }, measurements: [], totals: [program] },
    released.map((key) => ({ key })),
    drawsFrom(seededWords(3)),
  )[0]!.map(({ key, values }) => [key, ...values]);

describe("totals", () => {
  const byRegion: TotalsProgram = { keys: [0], measurements: [exactly(0), exactly(1, "-2")] };

  it("add up all groups, released or not, of the keys that a released group has, in its order", () => {
    const released: readonly (readonly KeyValue[])[] = [
      ["south", 1n],
      ["north", 2n],
      ["north", 1n],
    ];
    expect(total(released, byRegion)).toEqual([
      [["south"], 40n, -8n],
      [["north"], 30n, -6n],
    ]);
    expect(total([[null, 1n]], byRegion)).toEqual([[[null], 80n, -16n]]);
    expect(total([], byRegion)).toEqual([]);
    expect(total([["(other)", null]], { ...byRegion, keys: [1] })).toEqual([[[null], 160n, -32n]]);
  });

  it("of declared keys are all answered and no other, whatever was released", () => {
    const declared = [["south"], ["west"], [null]];
    expect(total([["north", 1n]], { ...byRegion, declared })).toEqual([
      [["south"], 40n, -8n],
      [["west"], 0n, -0n],
      [[null], 80n, -16n],
    ]);
    expect(total([], { keys: [], declared: [[]], measurements: [exactly(0)] })).toEqual([[[], 310n]]);
    expect(total([], { keys: [], declared: [[]], measurements: [exactly(0)] }, [])).toEqual([[[], 0n]]);
  });

  it("draw noise of their own, one draw a measurement of a total", () => {
    const noisy: MeasurementProgram = {
      terms: [{ column: 0, coefficient: "1" }],
      noise: { mechanism: "discrete-laplace@1", scale: "30" },
    };
    const declared = Array.from({ length: 400 }, (_, at) => [BigInt(at)]);
    const values = total([], { keys: [1], declared, measurements: [noisy, noisy] }, []);
    const flat = values.flatMap(([, ...drawn]) => drawn as bigint[]).map(Number);
    // 800 draws of scale 30: Σ|Z|/n is 30 ± 1.06 standard errors; wrong by chance below 1e-6 beyond ±5.5 of them.
    const mean = flat.reduce((sum, x) => sum + Math.abs(x), 0) / flat.length;
    expect(Math.abs(mean - 30)).toBeLessThan(5.9);
    expect(new Set(values.map(([, a, b]) => `${a} ${b}`)).size).toBeGreaterThan(390);
  });

  it("are total on rows that an engine should not return, and refuse places that are none", () => {
    const broken = [{ key: [], units: null, sums: [1.5] }] as unknown as ExactGroup[];
    expect(total([[]], byRegion, broken)).toEqual([[[null], 0n, 0n]]);
    for (const keys of [[-1], [0, -1], [0.5], [0, 0.5], [Number.NaN]])
      expect(() => total([], { ...byRegion, keys }), `${keys}`).toThrow(/keys/);
  });

  it("answer a key once, however many released groups have it, and add up every column that is asked", () => {
    const both: TotalsProgram = { keys: [1], measurements: [exactly(1), exactly(0, "3")] };
    expect(
      total(
        [
          ["north", 1n],
          ["south", 1n],
          [null, 1n],
        ],
        both,
      ),
    ).toEqual([[[1n], 13n, 390n]]);
  });

  it("are none where a program has none, and one list for each of its groupings", () => {
    const rows = seal({ groups });
    const draws = drawsFrom(seededWords(3));
    const asked = { keys: { kind: "none" } as const, measurements: [] };
    expect(releaseTotals(rows, asked, [{ key: ["north", 1n] }], draws)).toEqual([]);
    const two = { ...asked, totals: [byRegion, { keys: [1], measurements: [exactly(0)] }] };
    expect(
      releaseTotals(rows, two, [{ key: ["north", 1n] }], draws).map((list) => list.map(({ key }) => key)),
    ).toEqual([[["north"]], [[1n]]]);
  });
});
