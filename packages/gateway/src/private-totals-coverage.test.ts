import { parseRational } from "@lethe/core";
import { type ExactGroup, releaseGroups, releaseTotals, seal } from "@lethe/core/mechanisms";
import { drawsFrom, SeededSource } from "@lethe/core/tape";
import {
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  releaseProgram,
  resolveQuestion,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { isEstimate } from "./release.ts";
import { answeredRows } from "./rows/answered-rows.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      town: { type: text }
      wage: { type: integer, bounds: [-10, 60], default: 0 }
`);
const runs = 1500;
/** Misses of 5 % stay below this share but for a chance of 1e-6 over all checks (binomial tail, 5.6 standard deviations). */
const missesAtMost = 0.05 + 5.6 * Math.sqrt((0.05 * 0.95) / runs);

describe("what is left of a total", () => {
  it.each(["laplace", "gaussian"] as const)(
    "lies within its interval, at both ends, with %s noise",
    async (mechanism) => {
      const parsed = await parseQuestion(
        "SELECT town, COUNT(*), SUM(wage), AVG(wage) FROM people GROUP BY ROLLUP (town)",
      );
      const plan = planQuestion(
        resolveQuestion(parsed, policy),
        policy,
        { epsilon: parseRational("2"), delta: parseRational("1e-4"), groupSelection: null, mechanism },
        policyHash(policy),
      );
      // Towns about the threshold, so that which are released changes from run to run, and some far below it.
      const groups = [40, 30, 25, 20, 18, 15, 9, 4, 2, 1].map(
        (rows, at): ExactGroup & { readonly rows: number } => ({
          rows,
          key: [`t${at}`],
          units: BigInt(rows),
          sums: plan.sums.map((sum) => {
            if (sum.kind === "scaled-sum") return BigInt(rows * (5 * at)) - BigInt(rows) * BigInt(sum.mid);
            return sum.kind === "sum" ? BigInt(rows * 5 * at) : BigInt(rows);
          }),
        }),
      );
      const exact = seal({ groups });
      const program = releaseProgram(plan);
      const answer = answeredRows(plan, 0.95);
      const coins = drawsFrom(new SeededSource(7));
      const misses = [1, 2, 3].map(() => ({ below: 0, above: 0 }));
      const sizes = new Set<number>();
      for (let run = 0; run < runs; run += 1) {
        const released = releaseGroups(exact, program, coins);
        const { rows, groupings } = answer(released, releaseTotals(exact, program, released, coins));
        const left = rows[groupings!.findIndex(({ over }) => over !== null)]!;
        const kept = new Set(released.map(({ key }) => key[0]));
        const rest = groups.filter(({ key }) => !kept.has(key[0]!));
        sizes.add(released.length);
        const count = rest.reduce((sum, { rows: n }) => sum + n, 0);
        const sum = rest.reduce(
          (total, { rows: n, key }) => total + n * 5 * Number(String(key[0]).slice(1)),
          0,
        );
        for (const [at, truth] of [count, sum, sum / count].entries()) {
          const cell = left[at + 1]!;
          if (!isEstimate(cell) || cell.lower === null || cell.upper === null) throw new Error("no interval");
          if (truth < cell.lower) misses[at]!.below += 1;
          if (truth > cell.upper) misses[at]!.above += 1;
        }
      }
      expect(sizes.size).toBeGreaterThan(2);
      for (const { below, above } of misses) {
        expect((below + above) / runs).toBeLessThanOrEqual(missesAtMost);
        // Each end fails about as often as it should: neither is infinite, and none takes all.
        expect(below / runs).toBeLessThanOrEqual(missesAtMost / 2 + 0.012);
        expect(above / runs).toBeLessThanOrEqual(missesAtMost / 2 + 0.012);
      }
      // The sum has no sign, so its interval is not cut: were its noise told a third too small, this would show.
      expect((misses[1]!.below + misses[1]!.above) / runs).toBeGreaterThan(0.02);
    },
  );
});
