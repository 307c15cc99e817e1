import { parseRational, type Rational, ratio } from "@lethe/core";
import { choiceCost, measurementCost, openTableSession, tableSensitivity } from "@lethe/core/mechanisms";
import { add, compare, elementAt, subtract, zero } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attribute, type Domain, type MergedValues, sizesOf } from "./domain/index.ts";
import { cellsOf, treeCells } from "./graph/index.ts";
import { marginalsOf } from "./inference/index.ts";
import { type Learned, planSynthesis, type SynthesisMethod, type SynthesisPlan } from "./plan/index.ts";
import { synthesisReport } from "./report/index.ts";
import { syntheticCodes, syntheticRowCount, syntheticRows } from "./sampling/index.ts";
import { countedTables, type MarginalSource, sessionSource } from "./source/index.ts";
import { type SynthesisRound, synthesize } from "./synthesize.ts";

const sized = (sizes: readonly number[]): Domain =>
  sizes.map(
    (size, at): Attribute => ({
      ...{ kind: "categories", name: `c${at}`, nullable: false },
      categories: Array.from({ length: size }, (_, value) => `v${value}`),
    }),
  );
const methods = ["mst", "aim", "residuals"] as const;
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
  const learned = await synthesize(plan, source, (round) => heard.push(round));
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
      const report = synthesisReport(learned, domain);
      expect(report.tables.length).toBeGreaterThanOrEqual(sizes.length + 4);
      for (const { noiseDistance, modelDistance } of report.tables) {
        expect(noiseDistance).toBeGreaterThan(0);
        expect(modelDistance).toBeLessThan(4 * noiseDistance + 0.05);
      }
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    },
  );

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
          const table = [...syntheticRows(learned, domain, new SeededSource(1))];
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
    checkNumbers(learned, learned.model.sizes);
    expect(syntheticRowCount(learned)).toBeLessThanOrEqual(20_000_000);
  });

  it("by AIM keeps its model below the cap, and tells rounds by public things", async () => {
    const [small, cap] = [[4, 3, 3, 3], 500];
    const heard: SynthesisRound[] = [];
    const plan = planned("aim", sized(small), "20", cap);
    const columns = chain(small, 10_000, 6);
    const bytes = ({ model }: Learned): number => 8 * treeCells(model.sizes, model.tree);
    const { learned } = await run(plan, columns, 3, heard);
    expect(bytes(learned)).toBeLessThanOrEqual(cap);
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.at(-1)?.spent).toBe(1);
    // Without the cap it would grow past it.
    const free = await run(planned("aim", sized(small), "20"), columns, 3);
    expect(bytes(free.learned)).toBeGreaterThan(cap);
  });
});

function checkNumbers({ model, measurements }: Learned, shape: readonly number[]): void {
  expect(model.total).toBeGreaterThanOrEqual(0);
  const chances = marginalsOf(model)([...shape.keys()]);
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
          async (sizes, adjacency, epsilon, rowsPerUnit, measure, seed, always) => {
            const bits = new SeededSource(seed);
            const plan = planSynthesis({
              ...{ method, domain: sized(sizes), adjacency, rowsPerUnit },
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
