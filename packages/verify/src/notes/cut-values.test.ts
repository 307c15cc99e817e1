import { describe, expect, it } from "vitest";
import { planOf, policy } from "../testing/learned-plan.ts";
import { cutValues } from "./cut-values.ts";

/** Asks for a total with learned bounds, beside another total with bounds of its own; gives each total's bounds and their origin. */
async function origins(column: string, bounds: string): Promise<readonly string[]> {
  const text = `SELECT SUM(x, contribution_bounds_per_row => auto), AVG(${column}, contribution_bounds_per_row => ${bounds}) FROM t`;
  const notes = [...cutValues(await planOf(policy, text))];
  return notes.flatMap((note) => /^values of (\w+ below .*? \([a-z ]+\))/.exec(note)?.[1] ?? []);
}

describe("a note on the bounds of an argument", () => {
  it("calls them learned only where both ends, of this argument, are", async () => {
    const [learned] = await origins("x", "auto");
    const [, lo, hi] = /^x below (\S+) or above (\S+) \(learned bounds\)$/.exec(learned!)!.map(Number);
    expect(lo!).toBeLessThan(hi!);
    for (const [column, least, greatest] of [
      ["x", lo! * 2, hi! / 2],
      ["x", lo!, hi! / 2],
      ["x", lo! * 2, hi!],
      ["y", lo!, hi!],
    ] as const)
      expect(await origins(column, `(${least}, ${greatest})`)).toEqual([
        learned,
        `${column} below ${least} or above ${greatest} (bounds of the question)`,
      ]);
  });
});
