import { integerText } from "./integer-text.ts";

/** Whether an integer is one of these. Neighbours share one test, for each test costs every row. */
export function isCategory(x: string, categories: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const category of [...categories].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && category === run[1] + 1) run[1] = category;
    else runs.push([category, category]);
  }
  const literal = (category: number): string => integerText(BigInt(category));
  if (runs.length * 2 > categories.length) return `${x} IN (${categories.map(literal).join(", ")})`;
  return runs.map(([first, last]) => `${x} BETWEEN ${literal(first)} AND ${literal(last)}`).join(" OR ");
}
