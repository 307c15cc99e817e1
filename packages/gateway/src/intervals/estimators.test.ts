import type { NoisyCells } from "@lethe/core/mechanisms";
import { drawsFrom, SeededSource } from "@lethe/core/tape";
import { noisyNumbers, type Plan, readPolicy } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notesOn } from "../notes/notes.ts";
import { optionsOf } from "../testing/open-house.ts";
import { planAlone } from "../testing/plan-alone.ts";
import { personPolicy, rowPolicy } from "../testing/visits.ts";
import { estimators } from "./estimators.ts";

const budget = "{ measure: approximate, epsilon: 10, delta: 1e-3 }";
const perRow = readPolicy(rowPolicy(budget));
const perPerson = readPolicy(personPolicy(budget));

/** Returns the estimators of a plan over its noisy integers as they are listed. */
function listed(plan: Plan, confidence: number) {
  const numbers = noisyNumbers(plan);
  return [...estimators(plan, confidence).values()].map(
    (of) =>
      (values: readonly bigint[], cells: readonly NoisyCells[] = []) =>
        of(numbers(values, cells)),
  );
}

/** Lists noisy integers as a plan lists its measurements. */
const placed = (plan: Plan, numbers: Readonly<Record<string, bigint>>): readonly bigint[] =>
  plan.measurements.map(({ name }) => numbers[name] ?? 0n);

describe("estimators", () => {
  it("count: the noisy integer, ± the noise's quantile, never below 0", async () => {
    const plan = await planAlone("SELECT COUNT(*) FROM visits", optionsOf({ epsilon: "1/2" }), perRow);
    expect(plan.measurements[0]!.noise).toEqual({ mechanism: "discrete-laplace@1", scale: "2" });
    const [count] = listed(plan, 0.95);
    // P[|Z| > w] = 2·q^(w+1)/(1+q), q = e^(−1/2): 0.0620 at w = 5, 0.0376 at w = 6.
    const q = Math.exp(-1 / 2);
    const beyond = (w: number): number => (2 * q ** (w + 1)) / (1 + q);
    expect(beyond(5)).toBeGreaterThan(0.05);
    expect(beyond(6)).toBeLessThan(0.05);
    expect(count!([100n])).toEqual({ value: 100, lower: 94, upper: 106 });
    expect(count!([2n])).toEqual({ value: 2, lower: 0, upper: 8 });
    expect(count!([-3n])).toEqual({ value: -3, lower: 0, upper: 3 });
  });

  it("sum: grid integers times the step, kept to one sign where the bounds are", async () => {
    const plan = await planAlone("SELECT SUM(cost), SUM(stay) FROM visits", optionsOf({}), perRow);
    const [costs, stays] = plan.aggregates as unknown as { sum: string; exponent: number }[];
    const [cost, stay] = listed(plan, 0.95);
    const values = placed(plan, { [costs!.sum]: 1000n, [stays!.sum]: -40n });
    const step = 2 ** costs!.exponent;
    expect(cost!(values)).toMatchObject({ value: 1000 * step, lower: 0 });
    const noisyStay = stay!(values);
    expect(noisyStay.value).toBe(-40);
    expect(noisyStay.lower).toBeLessThan(-40);
    expect(noisyStay.upper! - noisyStay.value!).toBe(noisyStay.value! - noisyStay.lower!);
  });

  it("sum: lies in the middle of its interval, in the units of its column", async () => {
    const plan = await planAlone("SELECT SUM(cost) FROM visits", optionsOf({ epsilon: "1/2" }), perRow);
    const [{ exponent }] = plan.aggregates as unknown as [{ exponent: number }];
    expect(exponent).not.toBe(0);
    const [of] = listed(plan, 0.95);
    const { value, lower, upper } = of!([2n ** 40n]);
    expect(value).toBe(2 ** (40 + exponent));
    expect(upper! - value!).toBe(value! - lower!);
    // Laplace noise of scale 10,000/ε holds 95 in 100 within ln 20 = 2.9957 times that.
    expect((upper! - value!) / 20_000).toBeCloseTo(Math.log(20), 3);
  });

  it("average: where nothing is known is anything within its bounds, in the units of its column", async () => {
    const policy = readPolicy(
      rowPolicy(budget).replace("{ type: integer, bounds: [-4, 9] }", "{ type: number, bounds: [2, 18] }"),
    );
    const plan = await planAlone("SELECT AVG(stay) FROM visits", optionsOf({}), policy);
    expect(plan.aggregates[0]).toMatchObject({ kind: "avg" });
    expect(listed(plan, 0.95)[0]!([0n, 0n])).toMatchObject({ lower: 2, upper: 18 });
  });

  it("sum: of whole numbers from -1 up has no sign, and from 0 up has one", async () => {
    const lowerEnd = async (least: number): Promise<number | null> => {
      const policy = readPolicy(rowPolicy(budget).replace("bounds: [-4, 9]", `bounds: [${least}, 9]`));
      const plan = await planAlone("SELECT SUM(stay) FROM visits", optionsOf({}), policy);
      return listed(plan, 0.95)[0]!([-40n]).lower;
    };
    expect(await lowerEnd(-1)).toBeLessThan(-40);
    expect(await lowerEnd(0)).toBe(0);
  });

  it("average: the middle of the bounds plus sum over count", async () => {
    const plan = await planAlone("SELECT AVG(stay) FROM visits", optionsOf({ epsilon: "10" }), perRow);
    const [average] = plan.aggregates as unknown as {
      sum: string;
      count: string;
      mid: string;
      exponent: number;
    }[];
    const [of] = listed(plan, 0.95);
    const values = placed(plan, { [average!.sum]: 700n, [average!.count]: 1000n });
    const truth = (Number(average!.mid) + 0.7) * 2 ** average!.exponent;
    const { value, lower, upper } = of!(values);
    expect(value).toBeCloseTo(truth, 12);
    expect(lower).toBeLessThan(truth);
    expect(upper).toBeGreaterThan(truth);
    expect(lower).toBeGreaterThanOrEqual(-4);
    expect(upper).toBeLessThanOrEqual(9);
  });

  it.each([
    ["VARIANCE", 1000 / 999],
    ["VAR_POP", 1],
    ["STDDEV", Math.sqrt(1000 / 999)],
    ["STDDEV_POP", 1],
  ])("%s: mean square less squared mean, with the sample's factor", async (name, factor) => {
    const plan = await planAlone(`SELECT ${name}(cost) FROM visits`, optionsOf({ epsilon: "10" }), perRow);
    const [spread] = plan.aggregates as unknown as {
      squares: string;
      sum: string;
      count: string;
      offset: string;
      exponent: number;
    }[];
    expect(spread!.exponent).not.toBe(0);
    const [of] = listed(plan, 0.95);
    // The first is Σ ((i − mid)² − offset).
    const values = placed(plan, {
      [spread!.squares]: 500n,
      [spread!.sum]: 200n,
      [spread!.count]: 1000n,
    });
    const variance = 0.5 + Number(spread!.offset) - 0.2 ** 2;
    const population = name.startsWith("STDDEV") ? Math.sqrt(variance) : variance;
    const truth = population * factor * 2 ** (spread!.exponent * (name.startsWith("STDDEV") ? 1 : 2));
    const { value, lower, upper } = of!(values);
    expect(value! / truth).toBeCloseTo(1, 9);
    expect(lower).toBeLessThan(truth);
    expect(upper).toBeGreaterThan(truth);
  });

  it("quantile: the grid's integer at which the counts reach the share, times the step", async () => {
    const plan = await planAlone("SELECT MEDIAN(cost) FROM visits", optionsOf({ epsilon: "10" }), perRow);
    const { grid, cellWidth, branching, height } = plan.trees![0]!;
    expect(grid.exponent).not.toBe(0);
    // All 1000 rows lie in one cell: it alone counts at every level.
    const cell = 700;
    const levels = Array.from({ length: height }, (_, at) => {
      const nodes = new Float64Array(branching ** (at + 1));
      nodes[Math.floor(cell / branching ** (height - at - 1))] = 1000;
      return nodes;
    });
    const [of] = listed(plan, 0.95);
    const { value, lower, upper } = of!([], [levels]);
    const first = (Number(grid.lo) + cell * Number(cellWidth)) * 2 ** grid.exponent;
    const end = first + Number(cellWidth) * 2 ** grid.exponent;
    expect(first <= value! && value! < end).toBe(true);
    expect(lower! <= value! && value! <= upper!).toBe(true);
  });

  it("quantile: of whole numbers is the row's own number, and ends at the bounds where nothing is known", async () => {
    const plan = await planAlone("SELECT MEDIAN(stay) FROM visits", optionsOf({ epsilon: "1" }), perRow);
    const { branching, height } = plan.trees![0]!;
    const cellsOf = (cell: number, rows: number) =>
      Array.from({ length: height }, (_, at) => {
        const nodes = new Float64Array(branching ** (at + 1));
        nodes[Math.floor(cell / branching ** (height - at - 1))] = rows;
        return nodes;
      });
    const [of] = listed(plan, 0.95);
    // Cells 0 to 13 are -4 to 9.
    for (const number of [-4, 0, 3, 9])
      expect(of!([], [cellsOf(number + 4, 1e9)])).toEqual({ value: number, lower: number, upper: number });
    expect(of!([], [cellsOf(7, 0)])).toMatchObject({ lower: -4, upper: 9 });
  });

  it("quantile: cells of several numbers span from the first to the last of them, and end at the bounds", async () => {
    const plan = await planAlone("SELECT MEDIAN(cost) FROM visits", optionsOf({ epsilon: "1" }), perRow);
    const { grid, cellWidth, branching, height } = plan.trees![0]!;
    const step = 2 ** grid.exponent;
    const [least, greatest, width] = [Number(grid.lo), Number(grid.hi), Number(cellWidth)];
    expect(width).toBeGreaterThan(1);
    const [of] = listed(plan, 0.95);
    const among = (cell: number, rows: number) => {
      const levels = Array.from({ length: height }, (_, at) => {
        const nodes = new Float64Array(branching ** (at + 1));
        nodes[Math.floor(cell / branching ** (height - at - 1))] = rows;
        return nodes;
      });
      return of!([], [levels]);
    };
    const cell = 700;
    const { value, lower, upper } = among(cell, 1e9);
    expect(lower).toBe((least + cell * width) * step);
    expect(upper).toBe((least + (cell + 1) * width - 1) * step);
    // The median of rows that lie evenly in the cell is in its middle.
    expect(value! / step).toBeGreaterThan(least + cell * width + width / 4);
    expect(value! / step).toBeLessThan(least + cell * width + (3 * width) / 4);
    expect(among(cell, 0)).toMatchObject({ lower: least * step, upper: greatest * step });
    const last = Math.floor((greatest - least) / width);
    expect(among(last, 1e9).upper).toBe(greatest * step);
  });

  it.each([
    ["COVAR_POP(cost, fee)", 1],
    ["COVAR_SAMP(cost, fee)", 1000 / 999],
  ])("%s: mean product less the product of means, in the units of both columns", async (name, factor) => {
    const policy = readPolicy(
      rowPolicy(budget).replace(
        "stay: { type: integer, bounds: [-4, 9] }",
        "fee: { type: number, bounds: [0, 3] }",
      ),
    );
    const plan = await planAlone(`SELECT ${name} FROM visits`, optionsOf({ epsilon: "10" }), policy);
    const [joint] = plan.aggregates;
    if (joint?.kind !== "covariance") throw new Error("no covariance");
    expect(joint.exponent).not.toBe(0);
    const half = Number(joint.half) * Number(joint.otherHalf);
    const [of] = listed(plan, 0.95);
    // Of 1,000 rows, in shares of the bounds: products of 3/8 on average, and means of 1/4 and -1/2.
    const values = placed(plan, {
      [joint.products]: BigInt(Math.round(375 * half)),
      [joint.sum]: (BigInt(joint.half) * 1000n) / 4n,
      [joint.otherSum]: (BigInt(joint.otherHalf) * -1000n) / 2n,
      [joint.count]: 1000n,
    });
    // A whole bound is 5,000 in cost and 3/2 in fee.
    const truth = (3 / 8 + 1 / 8) * 5000 * 1.5 * factor;
    const { value, lower, upper } = of!(values);
    expect(value! / truth).toBeCloseTo(1, 4);
    expect(lower).toBeLessThan(truth);
    expect(upper).toBeGreaterThan(truth);
  });

  it("covariance of a column with itself: its sum has one draw of noise, not two", async () => {
    const plan = await planAlone("SELECT COVAR_POP(stay, stay) FROM visits", optionsOf({}), perRow);
    const [aggregate] = plan.aggregates;
    if (aggregate?.kind !== "covariance" || aggregate.sum !== aggregate.otherSum) throw new Error("twice");
    const [of] = listed(plan, 0.95);
    // Most at a bound, far from the middle, where the noise of the sum counts most.
    const half = Number(aggregate.half);
    const [rows, away] = [20_000, 6_000];
    const exact = placed(plan, {
      [aggregate.products]: BigInt(half * half * (rows - away)),
      [aggregate.sum]: BigInt(half * (rows - away)),
      [aggregate.count]: BigInt(rows),
    });
    const covariance = half * half * (1 - away / rows) * (away / rows) * 2 ** aggregate.exponent;
    const draws = drawsFrom(new SeededSource(31));
    const noisy = plan.measurements.map(({ noise, name }) => draws.noise(noise, name));
    const runs = 3000;
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const { lower, upper } = of!(exact.map((total, at) => noisy[at]!(total, [])));
      if (lower! <= covariance && covariance <= upper!) covered += 1;
    }
    // 3,000 draws: coverage 0.95 falls below 0.929 with a chance under 1e-6 (binomial tail; 5.2 standard deviations).
    expect(covered / runs).toBeGreaterThan(0.929);
  });

  it("skewness: covers that of the sample, and says nothing where there is no spread", async () => {
    const plan = await planAlone("SELECT SKEWNESS(stay) FROM visits", optionsOf({}), perRow);
    const [aggregate] = plan.aggregates;
    const cubes = plan.sums.find(({ kind }) => kind === "scaled-cubes");
    if (aggregate?.kind !== "skewness" || cubes?.kind !== "scaled-cubes") throw new Error("no skewness");
    const [of] = listed(plan, 0.95);
    // A share p of the rows at the upper bound, the others in the middle.
    const [half, rows, away] = [BigInt(cubes.half), 20_000n, 4_000n];
    const exact = placed(plan, {
      [aggregate.cubes]: away * half ** 3n,
      [aggregate.squares]: away * half ** 2n - rows * BigInt(aggregate.offset),
      [aggregate.sum]: away * half,
      [aggregate.count]: rows,
    });
    const [n, p] = [Number(rows), Number(away) / Number(rows)];
    const truth = ((Math.sqrt(n * (n - 1)) / (n - 2)) * (1 - 2 * p)) / Math.sqrt(p * (1 - p));
    expect(of!(exact).value).toBeCloseTo(truth, 9);
    const draws = drawsFrom(new SeededSource(32));
    const noisy = plan.measurements.map(({ noise, name }) => draws.noise(noise, name));
    const runs = 3000;
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const { value, lower, upper } = of!(exact.map((total, at) => noisy[at]!(total, [])));
      expect(lower! <= value! && value! <= upper!).toBe(true);
      if (lower! <= truth && truth <= upper!) covered += 1;
    }
    // As above.
    expect(covered / runs).toBeGreaterThan(0.929);
    const none = of!(exact.map(() => 0n));
    expect(none.value).toBe(0);
    expect(none.upper! / Math.sqrt(3)).toBeGreaterThanOrEqual(1);
    expect(none.lower).toBe(0 - none.upper!);
  });

  it("average: stays within the bounds where their width is odd and nothing is known", async () => {
    const odd = readPolicy(rowPolicy(budget).replace(/stay: .*/, "stay: { type: integer, bounds: [0, 85] }"));
    const plan = await planAlone("SELECT AVG(stay) FROM visits", optionsOf({}), odd);
    const [of] = listed(plan, 0.95);
    expect(of!([0n, 0n])).toMatchObject({ lower: 0, upper: 85 });
    const far = of!(plan.measurements.map(() => -1000n));
    expect(far.lower).toBeGreaterThanOrEqual(0);
    expect(far.value).toBeLessThanOrEqual(85);
  });

  it("turns any integers at all into finite numbers: JSON has no others", async () => {
    const text =
      "SELECT COUNT(*), SUM(cost), AVG(cost), VARIANCE(stay), STDDEV(cost), SKEWNESS(cost) FROM visits";
    const plan = await planAlone(text, optionsOf({}), perPerson);
    const all = listed(plan, 0.95);
    const integer = fc.bigInt({ min: -(1n << 62n), max: 1n << 62n });
    const values = fc.array(integer, {
      minLength: plan.measurements.length,
      maxLength: plan.measurements.length,
    });
    fc.assert(
      fc.property(values, (noisy) => {
        for (const of of all) {
          const { value, lower, upper } = of(noisy);
          for (const number of [value, lower, upper]) expect(Number.isFinite(number)).toBe(true);
          expect(lower).toBeLessThanOrEqual(upper!);
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});

describe("notes", () => {
  const notes = async (text: string, policy = perRow): Promise<readonly string[]> =>
    notesOn(await planAlone(text, optionsOf({ delta: "1e-6" }), policy));

  it("are silent where there is nothing to know", async () => {
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward")).toEqual([]);
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2")).toEqual([]);
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward LIMIT 1")).toEqual([]);
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY ward LIMIT 1")).toEqual([]);
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward HAVING ward = 'north'")).toEqual([]);
  });

  it("tell of selection by noisy values, of bounded units, of private keys", async () => {
    const chosen = expect.stringContaining("chosen by their noisy values");
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 2 LIMIT 1")).toEqual([
      chosen,
    ]);
    expect(
      await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY -COUNT(*) OFFSET 1"),
    ).toEqual([chosen]);
    expect(await notes("SELECT ward, COUNT(*) FROM visits GROUP BY ward HAVING COUNT(*) > 3")).toEqual([
      chosen,
    ]);
    expect(await notes("SELECT city, COUNT(*) FROM visits GROUP BY city")).toEqual([
      expect.stringContaining("small groups may be missing"),
    ]);
    expect(await notes("SELECT SUM(cost) FROM visits", perPerson)).toEqual([
      expect.stringContaining("each unit contributes at most 4 rows;"),
      expect.stringMatching(/^values of cost below/),
      expect.stringMatching(/^if a unit has more than 4 rows: SUM\(cost\) clamps/),
    ]);
    expect(await notes("SELECT COUNT(DISTINCT cost), COUNT(DISTINCT ward) FROM visits", perPerson)).toEqual([
      expect.stringContaining("each unit contributes"),
      expect.stringMatching(/^values of cost below/),
      expect.stringMatching(/COUNT\(DISTINCT cost\) .* at most 4 values of each unit, .* too small/),
      expect.stringMatching(/COUNT\(DISTINCT ward\) .* at most 2 values of each unit, .* too small/),
    ]);
    expect(await notes("SELECT COUNT(DISTINCT ward) FROM visits")).toEqual([]);
  });
});
