import { parseRational, type Rational, ratio } from "@lethe/core";
import {
  choiceCost,
  contrastSquares,
  measurementCost,
  openTableSession,
  residualCost,
  tableSensitivity,
} from "@lethe/core/mechanisms";
import { add, compare, elementAt, subtract, zero } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attribute, type Domain, type MergedValues, sizesOf } from "./domain/index.ts";
import { cellsOf } from "./graph/index.ts";
import { learnedFrom, planSynthesis, synthesize } from "./methods/index.ts";
import type { SynthesisMethod, SynthesisPlan, SynthesisRound } from "./plan/index.ts";
import { synthesisReport } from "./report/index.ts";
import { type Learned, syntheticCodes, syntheticRowCount, syntheticRows } from "./sampling/index.ts";
import { shuffle } from "./sampling/shuffle.ts";
import { countedTables, type MarginalSource, sessionSource } from "./source/index.ts";

const sized = (sizes: readonly number[]): Domain =>
  sizes.map(
    (size, at): Attribute => ({
      ...{ kind: "categories", name: `c${at}`, nullable: false },
      categories: Array.from({ length: size }, (_, value) => `v${value}`),
    }),
  );
const methods = ["mst", "aim", "residuals", "aim-grem"] as const;
const planned = (method: SynthesisMethod, domain: Domain, epsilon = "1", modelBytes = 1e6): SynthesisPlan =>
  planSynthesis({
    ...{ method, domain, adjacency: "add-or-remove-one", modelBytes },
    budget: { measure: "approximate", epsilon: parseRational(epsilon), delta: parseRational("1e-9") },
  });

async function run(
  plan: SynthesisPlan,
  columns: readonly Int32Array[],
  seed: number,
  heard: SynthesisRound[] = [],
) {
  const session = openTableSession(plan.session, new SeededSource(seed));
  const source = sessionSource(session, countedTables(columns), sizesOf(plan.domain));
  const learned = learnedFrom(await synthesize(plan, source, (round) => heard.push(round)), plan);
  return { learned, session };
}

/** Rows of a chain: each column mostly follows the one before. */
function chain(sizes: readonly number[], rows: number, seed: number): readonly Int32Array[] {
  const bits = new SeededSource(seed);
  const columns = sizes.map(() => new Int32Array(rows));
  for (let row = 0; row < rows; row++) {
    for (const [at, size] of sizes.entries()) {
      const before = columns[at - 1]?.[row];
      const follows = before !== undefined && bits.word() % 8 > 0;
      elementAt(columns, at)[row] = follows ? before % size : bits.word() % size;
    }
  }
  return columns;
}

/** The mean total-variation distance of all pairs. */
function distance(
  sizes: readonly number[],
  one: readonly Int32Array[],
  other: readonly Int32Array[],
): number {
  const table = (columns: readonly Int32Array[], a: number, b: number): Float64Array => {
    const counts = new Float64Array(cellsOf(sizes, [a, b]));
    const rows = elementAt(columns, 0).length;
    for (let row = 0; row < rows; row++) {
      const cell =
        elementAt(elementAt(columns, a), row) * elementAt(sizes, b) + elementAt(elementAt(columns, b), row);
      counts[cell] = elementAt(counts, cell) + 1 / rows;
    }
    return counts;
  };
  let [total, pairs] = [0, 0];
  for (const a of sizes.keys()) {
    for (let b = a + 1; b < sizes.length; b++) {
      const there = table(other, a, b);
      total += table(one, a, b).reduce((sum, x, cell) => sum + Math.abs(x - elementAt(there, cell)), 0) / 2;
      pairs += 1;
    }
  }
  return total / pairs;
}

describe("synthesis", () => {
  const sizes = [6, 5, 4, 3, 7];

  it.each(methods)(
    "by %s gives pairs near those of the rows, where single attributes would not",
    async (method) => {
      const columns = chain(sizes, 8000, 5);
      const domain = sized(sizes);
      const { learned, session } = await run(planned(method, domain), columns, 7);
      const rows = syntheticRowCount(learned);
      expect(Math.abs(rows - 8000)).toBeLessThan(1000);
      const made = syntheticCodes(learned, rows, new SeededSource(3));
      const shuffled = columns.map((column, at) => column.toSorted((x, y) => (at % 2 === 0 ? x - y : y - x)));
      expect(distance(sizes, columns, made)).toBeLessThan(0.04);
      expect(distance(sizes, columns, shuffled)).toBeGreaterThan(0.2);
      // All but a rounding of the total is spent.
      expect(compare(session.left, ratio(1n, 10n ** 8n))).toBeLessThan(0);
      const report = synthesisReport(learned, domain, learned.law.draw(rows, new SeededSource(6)));
      expect(report.tables.length).toBeGreaterThanOrEqual(sizes.length + 4);
      for (const { noiseDistance, rowsDistance } of report.tables) {
        expect(noiseDistance).toBeGreaterThan(0);
        expect(rowsDistance).toBeLessThan(4 * noiseDistance + 0.05);
      }
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    },
  );

  it("with a target keeps its link with every column, which a tree of all would not", async () => {
    // Of the first column the others are noisy copies, each of which follows the copy before more than the column itself.
    const [shape, bits] = [[2, 4, 4, 4, 4, 4], new SeededSource(9)];
    const columns = shape.map(() => new Int32Array(20_000));
    for (let row = 0; row < 20_000; row++) {
      const class_ = bits.word() % 2;
      elementAt(columns, 0)[row] = class_;
      for (let at = 1; at < shape.length; at++) {
        const before = at === 1 ? 0 : elementAt(elementAt(columns, at - 1), row);
        const kind = bits.word() % 10;
        elementAt(columns, at)[row] = kind < 5 ? before : kind < 8 ? 3 * class_ : bits.word() % 4;
      }
    }
    const domain = sized(shape);
    const own = (made: readonly Int32Array[]): number =>
      [1, 2, 3, 4, 5].reduce((sum, at) => {
        const pair = (all: readonly Int32Array[]) => [elementAt(all, 0), elementAt(all, at)];
        return sum + distance([2, 4], pair(columns), pair(made)) / 5;
      }, 0);
    const apart = new Map<string, number>();
    for (const method of methods) {
      for (const target of [{}, { target: "c0" }]) {
        const plan = planSynthesis({
          ...{ method, domain, adjacency: "add-or-remove-one", modelBytes: 1e6, ...target },
          budget: { measure: "approximate", epsilon: parseRational("1"), delta: parseRational("1e-9") },
        });
        const { learned } = await run(plan, columns, 4);
        const made = syntheticCodes(learned, syntheticRowCount(learned), new SeededSource(3));
        apart.set(`${method} ${plan.target ?? "none"}`, own(made));
        expect(distance(shape, columns, made)).toBeLessThan(0.06);
      }
      expect(apart.get(`${method} c0`)).toBeLessThan(0.02);
    }
    expect(apart.get("mst none")).toBeGreaterThan(0.05);
  });

  it("keeps to the chain in MST, which measures its links", async () => {
    const { learned } = await run(planned("mst", sized(sizes), "8"), chain(sizes, 8000, 5), 2);
    const pairs = learned.measurements
      .map(({ attributes }) => attributes.join(" "))
      .filter((name) => name.length > 1);
    expect(pairs.toSorted()).toEqual(
      ["0 1", "1 2", "2 3", "3 4"].filter((pair) => pairs.includes(pair)).toSorted(),
    );
    expect(pairs).toHaveLength(4);
  });

  it.each(methods)("by %s is made of numbers whatever the rows hold", async (method) => {
    const shapes = [sizes, [1], [4], [1, 1], [2, 1, 3]];
    for (const shape of shapes) {
      for (const rows of [0, 1, 400]) {
        for (const code of [0, -1, 99]) {
          const columns = shape.map(() => new Int32Array(rows).fill(code));
          const domain = sized(shape);
          const { learned } = await run(planned(method, domain), columns, rows + code + 9);
          checkNumbers(learned, shape);
          const bits = new SeededSource(1);
          const drawn = learned.law.draw(syntheticRowCount(learned), bits);
          const table = [...syntheticRows(learned, domain, drawn, bits)];
          const report = synthesisReport(learned, domain, drawn);
          expect(report.tables.every(({ rowsDistance }) => rowsDistance >= 0 && rowsDistance <= 1)).toBe(
            true,
          );
          expect(table).toHaveLength(syntheticRowCount(learned));
          for (const row of table) expect(row.every((value) => typeof value === "string")).toBe(true);
        }
      }
    }
  });

  it.each(methods)("by %s runs to its end on a budget that drowns all", async (method) => {
    const plan = planSynthesis({
      ...{ method, domain: sized([3, 200]), adjacency: "replace-one" as const, rowsPerUnit: 50 },
      budget: { measure: "zcdp", rho: parseRational("1e-18") },
    });
    const { learned } = await run(plan, chain([3, 200], 100, 1), 4);
    checkNumbers(learned, learned.law.sizes);
    expect(syntheticRowCount(learned)).toBeLessThanOrEqual(20_000_000);
  });

  it("of many columns that hang together in no tree is nearer by residuals than independent columns", async () => {
    // Each of 24 columns shows one of three traits, half of the time.
    const shape = Array.from({ length: 24 }, (_, at) => 2 + (at % 3));
    const bits = new SeededSource(14);
    const columns = shape.map(() => new Int32Array(20_000));
    for (let row = 0; row < 20_000; row++) {
      const traits = [bits.word(), bits.word(), bits.word()].map((word) => word / 2 ** 32);
      for (const [at, size] of shape.entries()) {
        const own = bits.word() % 2 ? bits.word() / 2 ** 32 : elementAt(traits, at % 3);
        elementAt(columns, at)[row] = Math.floor(size * own);
      }
    }
    const plan = planned("aim-grem", sized(shape), "2");
    const heard: SynthesisRound[] = [];
    const { learned } = await run(plan, columns, 6, heard);
    const made = syntheticCodes(learned, syntheticRowCount(learned), new SeededSource(3));
    const apart = columns.map((column) => {
      const shuffled = column.slice();
      shuffle(shuffled, bits);
      return shuffled;
    });
    expect(distance(shape, columns, made)).toBeLessThan(0.6 * distance(shape, columns, apart));
    expect(heard.length).toBeGreaterThan(30);
    expect(heard.at(-1)?.spent).toBe(1);
    // Every pair that was measured is told of.
    const report = synthesisReport(learned, plan.domain, learned.law.draw(20_000, new SeededSource(4)));
    const pairs = report.tables.filter(({ attributes }) => attributes.length === 2);
    expect(pairs.length).toBe(new Set(heard.map(({ attributes }) => attributes.join(" "))).size);
    expect(pairs.length).toBeGreaterThan(25);
  });

  it("by AIM keeps its model below the cap, and tells rounds by public things", async () => {
    const [small, cap] = [[4, 3, 3, 3], 500];
    const heard: SynthesisRound[] = [];
    const plan = planned("aim", sized(small), "20", cap);
    const columns = chain(small, 10_000, 6);
    const { learned } = await run(plan, columns, 3, heard);
    expect(learned.law.bytes).toBeLessThanOrEqual(cap);
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.at(-1)?.spent).toBe(1);
    // Without the cap it would grow past it.
    const free = await run(planned("aim", sized(small), "20"), columns, 3);
    expect(free.learned.law.bytes).toBeGreaterThan(cap);
  });
});

function checkNumbers({ law, measurements }: Learned, shape: readonly number[]): void {
  expect(law.total).toBeGreaterThanOrEqual(0);
  const chances = law.chances([...shape.keys()]);
  expect(chances.every((chance) => chance >= 0)).toBe(true);
  expect(chances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
  for (const { values, variances } of measurements) {
    expect(values.every(Number.isFinite) && variances.every((variance) => variance > 0)).toBe(true);
  }
}

/** A source whose answers an adversary makes, and which adds up what it was asked for. */
function adversary(plan: SynthesisPlan, draw: () => number) {
  const { measure, adjacency, rowsPerUnit, total } = plan.session;
  const sensitivity = tableSensitivity(adjacency, rowsPerUnit);
  let spent: Rational = zero;
  let asked = 0;
  const over = (sizes: readonly number[]): MarginalSource => ({
    sizes,
    get left() {
      return subtract(parseRational(total), spent);
    },
    measure(attributes, sigma) {
      spent = add(spent, measurementCost(sigma, sensitivity));
      asked += 1;
      return Promise.resolve(
        new Float64Array(cellsOf(sizes, attributes)).map(() => Math.round(2000 * (draw() - 0.3))),
      );
    },
    measureResidual(attributes, sigma) {
      const shape = attributes.map((attribute) => elementAt(sizes, attribute));
      spent = add(spent, residualCost(sigma, plan.session, shape));
      asked += 1;
      return Promise.resolve(
        new Float64Array(contrastSquares(shape).length).map(() => Math.round(2000 * (draw() - 0.5))),
      );
    },
    choose(candidates, epsilon) {
      spent = add(spent, choiceCost[measure](epsilon));
      return Promise.resolve(Math.min(candidates.length - 1, Math.floor(draw() * candidates.length)));
    },
    merging: (values: readonly MergedValues[]) => over(values.map(({ size }) => size)),
  });
  return { source: over(sizesOf(plan.domain)), spent: () => spent, asked: () => asked };
}

describe("the total", () => {
  it.each(methods)(
    "is never passed by %s, whichever tables are chosen and whatever they say",
    async (method) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
          fc.constantFrom("add-or-remove-one" as const, "replace-one" as const),
          fc.constantFrom("1/10", "1", "12"),
          fc.integer({ min: 1, max: 3 }),
          fc.constantFrom("approximate" as const, "zcdp" as const),
          fc.nat(),
          fc.constantFrom(0, 0.999, null),
          fc.nat(4),
          async (sizes, adjacency, epsilon, rowsPerUnit, measure, seed, always, place) => {
            const bits = new SeededSource(seed);
            const plan = planSynthesis({
              ...{ method, domain: sized(sizes), adjacency, rowsPerUnit },
              ...(sizes.length > 1 && place < sizes.length ? { target: `c${place}` } : {}),
              budget:
                measure === "zcdp"
                  ? { measure, rho: parseRational(epsilon) }
                  : { measure, epsilon: parseRational(epsilon), delta: parseRational("1e-6") },
            });
            const { source, spent, asked } = adversary(plan, () => always ?? bits.word() / 2 ** 32);
            await synthesize(plan, source);
            expect(compare(spent(), parseRational(plan.session.total))).toBeLessThanOrEqual(0);
            expect(asked()).toBeLessThanOrEqual(sizes.length * 17 + 2 + sizes.length ** 2);
          },
        ),
        { numRuns: 25, seed: 17 },
      );
    },
  );
});
