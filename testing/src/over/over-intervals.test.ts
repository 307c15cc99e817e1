import { isEstimate, type ReleasedCell } from "@lethe/gateway";
import { byName } from "@lethe/query";
import { expect, it } from "vitest";
import { drawnNoise, uniforms } from "../drawn-noise.ts";
import { answerOver, planOver } from "./planned-over.ts";

/*
 * Sums, differences and shares of several released numbers have intervals of the noise that they hold together, which cover as often as they say. Windows are over
 * 12 public groups, of which group k has 40·k + 200 rows, all with x = 70.
 */

// 3,000 draws: a coverage of 0.95 falls below 0.928 with a chance under 1e-6 (binomial tail; 5.5 standard deviations).
const [runs, alarm] = [3000, 0.928];
const text = `
WITH monthly AS (SELECT m, COUNT(*) AS n, SUM(x) AS s FROM t GROUP BY m)
SELECT m,
  SUM(n) OVER (ORDER BY m) AS so_far,
  n - LAG(n) OVER (ORDER BY m) AS change,
  n * 1.0 / SUM(n) OVER () AS share,
  AVG(s) OVER (ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving,
  s / n AS mean,
  LEAD(n, 3) OVER (ORDER BY m) AS later,
  ROUND(100.0 * n / SUM(n) OVER (), 1) AS percent,
  n * 1.0 / (SELECT SUM(n) FROM monthly) AS of_all
FROM monthly ORDER BY m`;

const rowsOf = (group: number): number => 40 * (group + 1) + 200;

async function coverage(inflate: number): Promise<ReadonlyMap<string, number>> {
  const plan = await planOver(text);
  const exact = (name: string, group: number): bigint => {
    const { terms } = byName(plan.measurements, name);
    return terms.reduce((total, { sum, coefficient }) => {
      const { kind } = byName(plan.sums, sum);
      return total + BigInt(coefficient) * BigInt((kind === "count" ? 1 : 70) * rowsOf(group));
    }, 0n);
  };
  const uniform = uniforms(88172645463325252n);
  const truth = answerOver(plan, exact).over;
  const covered = new Map<string, number>();
  for (let run = 0; run < runs; run += 1) {
    const { over } = answerOver(
      plan,
      (name, group) =>
        exact(name, group) + drawnNoise(byName(plan.measurements, name).noise, uniform, inflate),
    );
    // One row a run: intervals of several hang together.
    const place = run % 12;
    over?.columns.forEach(({ name, kind }, at) => {
      if (kind !== "computed") return;
      const [cell, due] = [over.rows[place]?.[at] ?? null, truth?.rows[place]?.[at] ?? null];
      if (!isEstimate(cell) || !isEstimate(due) || due.value === null) {
        covered.set(name, (covered.get(name) ?? 0) + 1 / runs);
        return;
      }
      expect(cell.lower, name).not.toBeNull();
      // What is exact up to rounding counts as within.
      const slack = 1e-9 * Math.abs(due.value);
      const isWithin = Number(cell.lower) <= due.value + slack && due.value - slack <= Number(cell.upper);
      if (isWithin) covered.set(name, (covered.get(name) ?? 0) + 1 / runs);
    });
  }
  return covered;
}

it("cover as often as they say", async () => {
  for (const [name, share] of await coverage(1)) expect(share, name).toBeGreaterThan(alarm);
});

it("would cover less often were the noise a fifth larger", async () => {
  const covered = await coverage(1.2);
  for (const name of ["so_far", "change", "share", "moving"])
    expect(covered.get(name), name).toBeLessThan(alarm);
});

it("are narrower than those of their parts together", async () => {
  const plan = await planOver(text);
  const { rows, over } = answerOver(plan, (name, group) =>
    BigInt(byName(plan.measurements, name).terms.length * (group + 5) * 1000),
  );
  const widths = (cells: readonly (readonly ReleasedCell[])[]): readonly number[] =>
    cells.map((row) => {
      const cell = row[1] ?? null;
      return isEstimate(cell) ? Number(cell.upper) - Number(cell.lower) : Number.NaN;
    });
  const together = widths(rows).reduce((sum, width) => sum + width, 0);
  expect(widths(over?.rows ?? []).at(-1)).toBeLessThan(0.5 * together);
});
