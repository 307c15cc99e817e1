import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { grant, importTables, init, namedAnswer, open } from "../index.ts";
import { inFolder } from "../testing/command-line.ts";

const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1, analysts: { ada: 1/2 } }
tables:
  people:
    file: people.csv
    unit: row
    columns: { age: { type: integer, bounds: [0, 100] }, town: { type: text, categories: [north, south] } }
`;
const rows = Array.from({ length: 400 }, (_, at) => `${at % 100},${at % 3 === 0 ? "north" : "south"}`);
const files = { "lethe.yaml": policy, "people.csv": `age,town\n${rows.join("\n")}\n` };
const byTown = "SELECT town, COUNT(*) AS n FROM people GROUP BY town";

describe("a program of the owner", () => {
  it("begins a ledger once, imports, asks for rows with names, and grants more", () =>
    inFolder(files, async () => {
      expect(await init()).toMatchObject({ made: "ledger" });
      await expect(init()).rejects.toMatchObject({ code: "ledger.exists" });
      expect(await importTables()).toMatchObject([{ table: "people", rows: 400, lost: [] }]);
      const shares: number[] = [];
      await importTables("lethe.yaml", { tables: ["people"], progress: (_, share) => shares.push(share) });
      await expect(importTables("lethe.yaml", { tables: ["persons"] })).rejects.toMatchObject({
        code: "query.unknown-table",
      });
      const lethe = await open();
      try {
        const release = await lethe.query(byTown, { epsilon: "1/2", principal: "ada" });
        const { rows, price, charged } = namedAnswer(release);
        expect(rows).toEqual([
          {
            town: "north",
            n: { value: expect.any(Number), lower: expect.any(Number), upper: expect.any(Number) },
          },
          { town: "south", n: expect.objectContaining({ value: expect.any(Number) }) },
          { town: null, n: expect.anything() },
        ]);
        expect([price, charged]).toEqual([release.certificate.charge, release.certificate.charge]);
        const more = "SELECT COUNT(*) FROM people";
        const asked = { epsilon: "1/4", principal: "ada" };
        await expect(lethe.query(more, asked)).rejects.toMatchObject({ code: "ledger.budget" });
        await grant("lethe.yaml", { analyst: "ada", epsilon: 0.25, reason: "a second question" });
        await expect(lethe.query(more, asked)).resolves.toMatchObject({ certificate: { principal: "ada" } });
      } finally {
        await lethe.close();
      }
      const wrong = { epsilon: "much", reason: "r" };
      await expect(grant("lethe.yaml", wrong)).rejects.toMatchObject({ code: "parameter.invalid" });
      const report = await grant("lethe.yaml", { epsilon: "1/3", failures: 5, reason: "the board agreed" });
      expect(report.granted).toMatchObject({ epsilon: { num: 4n, den: 3n } });
    }));

  it("has a policy that was edited refused before it imports", () =>
    inFolder(files, async (folder) => {
      await init("lethe.yaml");
      writeFileSync(`${folder}/lethe.yaml`, policy.replace("epsilon: 1,", "epsilon: 2,"));
      await expect(importTables()).rejects.toMatchObject({ code: "policy.changed" });
    }));
});

describe("whoever waits with a signal", () => {
  it("begins nothing once it is aborted, and loses nothing where it is aborted while it waits", () =>
    inFolder(files, async () => {
      await init();
      await importTables();
      const lethe = await open();
      try {
        const signal = AbortSignal.abort(new Error("no longer wanted"));
        for (const begin of [lethe.ask, lethe.query, lethe.explain])
          await expect(begin(byTown, { epsilon: "1/4", signal })).rejects.toThrow("no longer wanted");
        expect((await lethe.budget()).charges).toEqual([]);
        const waiting = new AbortController();
        const asked = lethe.query(byTown, { epsilon: "1/4", requestId: "r", signal: waiting.signal });
        waiting.abort(new Error("gone"));
        await expect(asked).rejects.toThrow("gone");
        const again = await lethe.query(byTown, { epsilon: "1/4", requestId: "r" });
        expect(again.certificate.requestId).toBe("r");
        expect((await lethe.budget()).charges).toHaveLength(1);
      } finally {
        await lethe.close();
      }
    }));
});
