import { ratio } from "@lethe/core";
import { openTableSession, seal } from "@lethe/core/mechanisms";
import { subtract } from "@lethe/core/numeric";
import { openExact, SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unmerged } from "../domain/index.ts";
import { countedTables } from "./counted-tables.ts";
import { sessionSource } from "./session-source.ts";

const merged = { places: Int32Array.of(0, 1, 1), size: 2 };

describe("tables of rows in memory", () => {
  it("count each row in one cell, by merged values; codes outside of the domain count nowhere", async () => {
    const code = fc.integer({ min: -1, max: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(code, code, code), { maxLength: 20 }), async (rows) => {
        const columns = [0, 1, 2].map((at) => Int32Array.from(rows, (row) => row[at] ?? 0));
        const table = await countedTables(columns)({ attributes: [0, 2], merged: [unmerged(4), merged] });
        const expected = new Array<number>(8).fill(0);
        for (const [a, , c] of rows) {
          const place = [0, 1, 1][c];
          if (a >= 0 && a < 4 && place !== undefined)
            expected[a * 2 + place] = (expected[a * 2 + place] ?? 0) + 1;
        }
        expect(Array.from(openExact(table))).toEqual(expected);
      }),
    );
  });
});

describe("a source of a session", () => {
  const setting = {
    measure: "gaussian-dp",
    total: "1",
    adjacency: "add-or-remove-one",
    rowsPerUnit: 1,
  } as const;

  it("counts each table once, in the values that are merged, and shares one total", async () => {
    const asked: string[] = [];
    const session = openTableSession(setting, new SeededSource(2));
    const source = sessionSource(
      session,
      ({ attributes, merged: values }) => {
        asked.push(`${attributes.join(" ")}: ${values.map(({ size }) => size).join(" ")}`);
        return Promise.resolve(seal(new Float64Array(9)));
      },
      [3, 3],
    );
    await source.measure([0, 1], ratio(4n));
    await source.measure([0, 1], ratio(4n));
    const coarse = source.merging([merged, unmerged(3)]);
    expect([source.sizes, coarse.sizes]).toEqual([
      [3, 3],
      [2, 3],
    ]);
    expect(await coarse.measure([0, 1], ratio(4n))).toHaveLength(6);
    const candidates = [[0], [0, 1]].map((attributes) => ({
      ...{ attributes, estimate: new Float64Array(6), weight: 1, allowance: 0 },
    }));
    expect([0, 1]).toContain(await coarse.choose(candidates, ratio(1n)));
    expect(asked).toEqual(["0 1: 3 3", "0 1: 2 3", "0: 2"]);
    // A residual of 2 × 3 values has 1·2 contrasts, and takes (1 − 1/2)(1 − 1/3)/8² = 1/192.
    const before = source.left;
    expect(await coarse.measureResidual([0, 1], ratio(8n))).toHaveLength(2);
    expect(subtract(before, source.left)).toEqual(ratio(1n, 192n));
    expect(source.left).toEqual(coarse.left);
    expect(source.left).toEqual(subtract(ratio(10_000n - 1875n - 3927n, 10_000n), ratio(1n, 192n)));
    await expect(coarse.measure([0], ratio(1n))).rejects.toMatchObject({ code: "mechanism.spent" });
  });

  // At ε 40 a table that lies 100 rows further from its estimate is missed with a chance below e^−900.
  it("chooses by the estimates that it is given, and counts a candidate once", async () => {
    const session = openTableSession({ ...setting, total: "100000" }, new SeededSource(2));
    const asked: number[] = [];
    const source = sessionSource(
      session,
      ({ attributes }) => {
        asked.push(...attributes);
        return Promise.resolve(seal([100]));
      },
      [1, 1],
    );
    const candidate = (at: number, count: number) => ({
      ...{ attributes: [at], estimate: Float64Array.of(count), weight: 1, allowance: 0 },
    });
    const chosen = (...candidates: readonly ReturnType<typeof candidate>[]): Promise<number> =>
      source.choose(candidates, ratio(40n));
    const [near, far] = [candidate(0, 100), candidate(1, 0)];
    expect([await chosen(near, far), await chosen(near, far), await chosen(far, near)]).toEqual([1, 1, 0]);
    expect(await chosen(candidate(0, 0), candidate(1, 100))).toBe(0);
    expect(asked).toEqual([0, 1]);
  });
});
