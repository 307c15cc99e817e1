import { ratio } from "@lethe/core";
import { openTableSession, seal } from "@lethe/core/mechanisms";
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
    expect(source.left).toEqual(coarse.left);
    expect(source.left).toEqual(ratio(10_000n - 1875n - 3927n, 10_000n));
    await expect(coarse.measure([0], ratio(1n))).rejects.toMatchObject({ code: "mechanism.spent" });
  });
});
