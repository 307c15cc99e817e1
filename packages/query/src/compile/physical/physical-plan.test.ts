import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { duckdb, postgres } from "../../dialects/index.ts";
import { parseQuestion } from "../../parse/index.ts";
import { planQuestion } from "../../plan/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { rowSource } from "../relations/row-source.ts";
import type { TableStorage } from "../stored/storage-of.ts";
import { type PhysicalPlan, physicalPlan } from "./physical-plan.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  t: { file: t.csv, unit: id, max_groups_contributed: 300, max_rows_contributed_per_group: 2, columns: { id: { type: text }, town: { type: text },
    wild: { type: number }, x: { type: integer, bounds: [0, 9] }, g: { type: text, categories: [a, b], default: a } } }
  logs: { file: l.csv, unit: id, max_groups_contributed: 3, max_rows_contributed_per_group: 2, limit: rows-before-filter,
    columns: { id: { type: text }, town: { type: text } } }
  people: { file: p.csv, unit: row, columns: { town: { type: text } } }
`);

async function chosen(select: string, dialect = duckdb, options = {}): Promise<PhysicalPlan> {
  const question = resolveQuestion(await parseQuestion(`SELECT ${select}`), policy);
  const settings = { epsilon: parseRational("1"), delta: parseRational("1e-6"), ...options };
  const plan = planQuestion(question, policy, settings, "hash");
  const storage = (table: string): TableStorage =>
    ({ relation: [table], layout: "snapshot" }) as TableStorage;
  return physicalPlan(plan, rowSource(plan, storage, dialect), dialect);
}

describe("the physical plan", () => {
  it("limits groups where a unit may be in more groups than count, in the dialect's way", async () => {
    const by = async (...asked: Parameters<typeof chosen>): Promise<string> =>
      (await chosen(...asked)).groups.by;
    expect(await by("town, COUNT(*) FROM t GROUP BY town")).toBe("bits");
    expect(await by("town, COUNT(*) FROM t GROUP BY town", postgres)).toBe("rank");
    expect(await by("g, COUNT(*) FROM t GROUP BY g", duckdb, { maxGroupsContributed: 1 })).toBe("bits");
    expect(await by("g, COUNT(*) FROM t GROUP BY g")).toBe("nothing");
    expect(await by("COUNT(*) FROM t")).toBe("nothing");
    expect(await by("town, COUNT(*) FROM people GROUP BY town")).toBe("nothing");
    expect(await by("town, COUNT(*) FROM logs GROUP BY town")).toBe("nothing");
  });

  it("adds up units where rows of one unit are limited by the statement, rows otherwise", async () => {
    expect((await chosen("COUNT(*) FROM t")).addsUp).toBe("units");
    expect((await chosen("COUNT(*) FROM logs")).addsUp).toBe("rows");
    expect((await chosen("COUNT(*) FROM people")).addsUp).toBe("rows");
  });

  it("reads stored columns as they lie, and computes the others", async () => {
    expect((await chosen("SUM(x) FROM t")).values).toBe("stored");
    expect((await chosen("SUM(x) FROM t WHERE x > 3")).values).toBe("stored");
    expect((await chosen("SUM(LEAST(x + 1, 5)) FROM t")).values).toBe("computed");
    expect((await chosen("wild, COUNT(*) FROM t GROUP BY wild", postgres)).values).toBe("computed");
    // The bits of a unit's places are found by reading the rows, which have their places by then.
    expect((await chosen("town, COUNT(*) FROM t GROUP BY town")).values).toBe("computed");
    expect((await chosen("town, COUNT(*) FROM t GROUP BY town", postgres)).values).toBe("stored");
  });

  it("keeps joined rows that it reads twice", async () => {
    const joined = "FROM t JOIN t AS other ON t.id = other.id GROUP BY t.town";

    expect((await chosen(`t.town, COUNT(*) ${joined}`)).values).toBe("kept");
  });

  it("needs the seed to choose groups, rows or values, and for nothing else", async () => {
    expect((await chosen("COUNT(*) FROM t")).needsSeed).toBe(false);
    expect((await chosen("town, COUNT(*) FROM t GROUP BY town")).needsSeed).toBe(true);
    expect((await chosen("COUNT(*) FROM logs")).needsSeed).toBe(true);
    expect((await chosen("COUNT(DISTINCT town) FROM people")).needsSeed).toBe(false);
    expect((await chosen("COUNT(DISTINCT town) FROM t")).needsSeed).toBe(true);
    expect((await chosen("COUNT(*) FROM people")).needsSeed).toBe(false);
  });
});
