import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { mapTables, type Relation, type TableRelation } from "../../relations/relation.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { type TrackedQuestion, trackUnit } from "../passes/track-unit.ts";
import { verify } from "./verify.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, age: { type: integer, bounds: [0, 9] } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, max_groups_contributed: 2,
    columns: { person_id: { type: integer }, code: { type: text }, cost: { type: number, bounds: [0, 9] } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text } } }
  guests: { file: a.duckdb, unit: row, columns: { code: { type: text } } }
`);

const tracked = async (text: string): Promise<TrackedQuestion> =>
  trackUnit(resolveQuestion(await parseQuestion(text), policy), policy, {});

/** The same question over other rows. */
const over = (question: TrackedQuestion, change: (from: Relation) => Relation): TrackedQuestion => ({
  ...question,
  question: { ...question.question, from: change(question.question.from) },
});
const withTable =
  (name: string, changed: Partial<TableRelation>) =>
  (from: Relation): Relation =>
    mapTables(from, (table) => (table.table === name ? { ...table, ...changed } : table));
const joinedAs =
  (type: "left" | "right" | "full") =>
  (from: Relation): Relation =>
    from.kind === "join" ? { ...from, type } : from;
const ofOthers = {
  unit: { kind: "column", column: "person_id", path: [], names: { table: "others", column: "id" } },
} as const;
const ofNobody = { unit: { kind: "public" } } as const;
const ofRows = { unit: { kind: "row" } } as const;

const both = "SELECT COUNT(*) FROM people JOIN visits ON id = person_id";
const union =
  "SELECT COUNT(*) FROM (SELECT cost FROM visits WHERE cost > 3 UNION ALL SELECT age FROM people) u WHERE cost > 4";
const within = "SELECT COUNT(*) FROM (SELECT person_id, COUNT(*) AS n FROM visits GROUP BY person_id) t";

describe("after the unit is tracked", () => {
  it.each<[string, string, (from: Relation) => Relation]>([
    ["joined rows of two kinds of unit", both, withTable("visits", ofOthers)],
    ["rows of a unit joined to rows that are units", both, withTable("people", ofRows)],
    [
      "public rows that meet nobody",
      "SELECT COUNT(*) FROM visits JOIN codes USING (code)",
      joinedAs("right"),
    ],
    [
      "public rows that meet nobody, on the left",
      "SELECT COUNT(*) FROM codes JOIN visits USING (code)",
      joinedAs("full"),
    ],
    [
      "a unit's one row joined to many",
      "SELECT COUNT(*) FROM guests JOIN codes USING (code)",
      withTable("codes", { oncePer: null }),
    ],
    ["a union of rows of two kinds of unit", union, withTable("visits", ofOthers)],
    ["a union of rows of units and rows of nobody", union, withTable("people", ofNobody)],
    [
      "rows kept because of what another unit has",
      "SELECT COUNT(*) FROM visits WHERE code IN (SELECT code FROM codes)",
      withTable("codes", ofOthers),
    ],
    ["groups within units that are rows", within, withTable("visits", ofRows)],
    [
      "all these, behind a filter",
      both,
      (from) => ({ kind: "filter", where: null as never, of: withTable("visits", ofOthers)(from) }),
    ],
  ])("%s: refused", async (_, text, change) => {
    const question = await tracked(text);
    expect(verify.tracked(question)).toBe(question);
    expect(() => verify.tracked(over(question, change))).toThrow(
      expect.objectContaining({ code: "internal.invariant", message: expect.stringContaining("one unit's") }),
    );
  });

  it.each<[string, string, Partial<TrackedQuestion["granted"]>]>([
    ["no group", "SELECT COUNT(*) FROM visits", { maxGroups: 0 }],
    ["no row", "SELECT COUNT(*) FROM visits", { maxRowsPerGroup: 0 }],
    ["a number of rows that is none", "SELECT COUNT(*) FROM visits", { maxRowsPerGroup: Number.NaN }],
    ["two groups to a unit that is a row", "SELECT COUNT(*) FROM guests", { maxGroups: 2 }],
    ["two rows to a unit that is a row", "SELECT COUNT(*) FROM guests", { maxRowsPerGroup: 2 }],
  ])("a grant of %s: refused", async (_, text, granted) => {
    const question = await tracked(text);
    expect(verify.tracked(question)).toBe(question);
    expect(() => verify.tracked({ ...question, granted: { ...question.granted, ...granted } })).toThrow(
      expect.objectContaining({ code: "internal.invariant" }),
    );
  });
});
