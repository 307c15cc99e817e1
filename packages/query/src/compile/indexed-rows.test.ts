import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { dialects } from "../dialects/index.ts";
import { parseQuestion } from "../parse/index.ts";
import { type Plan, planQuestion } from "../plan/index.ts";
import { type Policy, readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { table } from "../sql/query.ts";
import { compilePlan } from "./index.ts";
import { rowSource } from "./relations/row-source.ts";
import type { TableStorage } from "./stored/storage-of.ts";

/* Which way a table's rows are found: answers are the same either way, so that only the text tells whether an index is read. */

const policyOf = (bound: string, unit = "who"): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits: { file: v.csv, unit: ${unit}, ${unit === "row" ? "" : `max_groups_contributed: 3, max_rows_contributed_per_group: 4, bound: ${bound},`}
    columns: { who: { type: text }, x: { type: integer, bounds: [0, 9] }, g: { type: text, categories: [a, b] } } }
`);
const byRows = policyOf("rows-before-filter");
const byGroups = policyOf("groups-after-filter");
const rows = policyOf("", "row");

const snapshot = { relation: ["s", "visits"], layout: "snapshot" } as const;
const raw = { relation: ["s", "visits"], layout: "raw" } as const;
const indexed = { ...snapshot, hasPlaces: true } as const;
const numbered = { ...snapshot, hasUnitNumbers: true } as const;
const text = "SELECT COUNT(*), SUM(x) FROM visits WHERE x > 1";

async function planned(policy: Policy, asked = text): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(asked), policy);
  return planQuestion(
    question,
    policy,
    { epsilon: parseRational("1"), delta: parseRational("1e-6") },
    "hash",
  );
}

const ranks = /row_number|rank\(|md5|hash\(/i;

describe.each(Object.entries(dialects))("in %s", (name, dialect) => {
  const compiled = async (policy: Policy, storage: TableStorage) =>
    compilePlan(await planned(policy), () => storage, dialect);
  const source = async (policy: Policy, storage: TableStorage) =>
    rowSource(await planned(policy), () => storage, dialect);

  it("an index is read where rows are bounded, up to the rows that a unit may have, and nothing is ranked", async () => {
    const found = await compiled(byRows, indexed);
    expect(found.needsSeed).toBe(false);
    expect(found.sql).not.toMatch(ranks);
    const { conditions, needsSeed, from } = await source(byRows, indexed);
    expect(needsSeed).toBe(false);
    expect(conditions).toHaveLength(1);
    expect(conditions[0]).toMatch(/^source\..*place.* <= 4$/);
    const grouped = await planned(byRows, "SELECT g, COUNT(*) FROM visits GROUP BY g");
    expect(rowSource(grouped, () => indexed, dialect).conditions).toEqual([
      conditions[0]!.replace(/4$/, "12"),
    ]);
    expect(from).toEqual(table(["s", "visits"].map(dialect.identifier).join("."), "source"));
  });

  it.each([
    ["a snapshot without one", snapshot],
    ["a table as it lies", raw],
    ["an index of another seed", { ...snapshot, hasPlaces: false }],
  ])("rows are ranked by a keyed hash in %s", async (_, storage) => {
    const found = await compiled(byRows, storage);
    expect(found.needsSeed).toBe(true);
    const { conditions, unit, unitNumber, needsSeed } = await source(byRows, storage);
    expect({ conditions, unit, unitNumber, needsSeed }).toEqual({
      ...{ conditions: [], unit: "source.u", unitNumber: null, needsSeed: true },
    });
  });

  it("places say nothing where groups are bounded after the filter", async () => {
    const { conditions, needsSeed } = await source(byGroups, indexed);
    expect(needsSeed).toBe(false);
    expect(conditions).toHaveLength(1);
    expect(conditions[0]).toMatch(/IS NOT NULL$/);
  });

  it("units are told apart by their numbers where these differ, else by their names", async () => {
    const [byNumber, byName, asItLies] = await Promise.all(
      [numbered, snapshot, { ...raw, hasUnitNumbers: true }].map((storage) => source(byGroups, storage)),
    );
    expect(byNumber!.unit).toMatch(/number/);
    expect(byNumber!.named).not.toMatch(/number/);
    expect(byNumber!.conditions).toEqual([`${byNumber!.unit} IS NOT NULL`]);
    for (const { unit, named, conditions } of [byName!, asItLies!]) {
      expect(unit).toBe(named);
      expect(unit).not.toMatch(/number/);
      expect(conditions).toEqual([`${named} IS NOT NULL`]);
    }
    // The number of a name is stored in every snapshot, whether or not it tells units apart.
    expect(byNumber!.unitNumber).toBe(byName!.unitNumber);
    expect(byName!.unitNumber).toMatch(/number/);
    expect(asItLies!.unitNumber).toBeNull();
  });

  it("rows that are units are read as they are", async () => {
    for (const storage of [snapshot, indexed, raw]) {
      const { conditions, needsSeed, unitNumber } = await source(rows, storage);
      expect({ conditions, needsSeed, unitNumber }, name).toEqual({
        ...{ conditions: [], needsSeed: false, unitNumber: null },
      });
    }
  });
});
