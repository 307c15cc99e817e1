import { describe, expect, it } from "vitest";
import type { Expression } from "../../expressions/expression.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { resolveQuestion } from "../../resolve/question/resolve-question.ts";
import type { RowLimit, Source } from "../relation.ts";
import { everyTrue, type JoinGraph, joinGraph, rowsOfValue } from "./join-graph.ts";
import { questionsRows } from "./joined-rows.ts";

const domain = { type: "boolean", nullable: true, values: null } as const;
const truth = (name: string): Expression => ({ kind: "column", name, domain });
const call = (operator: "and" | "or", ...args: Expression[]): Expression => ({
  kind: "call",
  operator,
  args,
  domain,
});

describe("the parts of a condition that must all be true", () => {
  it("are those that AND joins, however deep, and no part of an alternative", () => {
    const [a, b, c, d] = [truth("a"), truth("b"), truth("c"), truth("d")];
    expect(everyTrue(null)).toEqual([]);
    expect(everyTrue(a)).toEqual([a]);
    expect(everyTrue(call("and", a, call("and", b, c)))).toEqual([a, b, c]);
    expect(everyTrue(call("or", a, b))).toEqual([call("or", a, b)]);
    expect(everyTrue(call("and", call("or", a, call("and", b, c)), d))).toEqual([
      call("or", a, call("and", b, c)),
      d,
    ]);
  });
});

describe("the rows that share a value", () => {
  const table = (words: { kind?: string; oncePer?: string; limits?: readonly RowLimit[] }): Source =>
    ({
      kind: "table",
      unit: { kind: words.kind ?? "public" },
      oncePer: words.oncePer ?? null,
      limits: words.limits,
    }) as unknown as Source;
  const byValue = (column: string, rows: number): RowLimit => ({ per: "value", column, rows });

  it("are one of a key, and as few as a public table says of its column", () => {
    expect(rowsOfValue(table({ oncePer: "k" }), "k")).toBe(1);
    const limits = [byValue("a", 40), byValue("b", 7), byValue("a", 30)];
    expect(rowsOfValue(table({ oncePer: "k", limits }), "a")).toBe(30);
    expect(rowsOfValue(table({ limits }), "b")).toBe(7);
    expect(rowsOfValue(table({ oncePer: "a", limits }), "a")).toBe(1);
  });

  it("are any number where nothing is said of the column, or the table is no public one", () => {
    const any = Number.POSITIVE_INFINITY;
    expect(rowsOfValue(table({}), "k")).toBe(any);
    expect(rowsOfValue(table({ oncePer: "k", limits: [byValue("a", 40)] }), "b")).toBe(any);
    expect(rowsOfValue(table({ limits: [{ per: "table", rows: 3 }] }), "a")).toBe(any);
    expect(rowsOfValue(table({ kind: "column", oncePer: "k", limits: [byValue("a", 40)] }), "k")).toBe(any);
    expect(rowsOfValue(table({ kind: "row", limits: [byValue("a", 40)] }), "a")).toBe(any);
    expect(rowsOfValue({ kind: "grouped" } as unknown as Source, "a")).toBe(any);
  });
});

describe("the graph of joined tables", () => {
  const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, zip: { type: text } } }
  visits: { file: a.duckdb, unit: { through: person, references: people.id }, key: visit, columns: {
    visit: { type: text }, person: { type: integer } } }
  items: { file: a.duckdb, unit: { through: visit, references: visits.visit }, columns: { visit: { type: text } } }
  zips: { file: a.duckdb, public: true, key: zip, rows_per_key: { state: 4 }, columns: { zip: { type: text }, state: { type: text } } }
`);
  const graphOf = async (from: string): Promise<JoinGraph> =>
    joinGraph(
      questionsRows(resolveQuestion(await parseQuestion(`SELECT COUNT(*) FROM ${from}`), policy)),
      () => 0,
    );
  const sorted = (masks: readonly number[]): readonly number[] => [...masks].sort((a, b) => a - b);

  it("ties the tables that a condition names, and private ones with one another", async () => {
    const graph = await graphOf("people p JOIN visits v ON id = person JOIN items i ON i.visit = v.visit");
    expect(graph.leaves.map(({ isPrivate }) => isPrivate)).toEqual([true, true, true]);
    expect(graph.nodes.map(({ type, left, right }) => [type, left, right])).toEqual([
      ["inner", 1, 2],
      ["inner", 3, 4],
    ]);
    expect(sorted(graph.links)).toEqual([0b011, 0b101, 0b110]);
  });

  it("ties public tables by conditions alone, and those that engines infer apart", async () => {
    const apart = await graphOf("people p JOIN zips z ON p.zip = z.zip JOIN zips y ON y.state = z.state");
    expect(apart.leaves.map(({ isPrivate }) => isPrivate)).toEqual([true, false, false]);
    expect([sorted(apart.links), sorted(apart.inferred)]).toEqual([
      [0b011, 0b110],
      [0b011, 0b110],
    ]);
    const equal = await graphOf("people p JOIN zips z ON p.zip = z.zip JOIN zips y ON y.zip = z.zip");
    expect([sorted(equal.links), sorted(equal.inferred)]).toEqual([
      [0b011, 0b110],
      [0b011, 0b101, 0b110],
    ]);
    // Behind an outer join no equality is inferred: a row that is missing equals nothing.
    const outer = await graphOf("people p LEFT JOIN zips z ON p.zip = z.zip");
    expect([sorted(outer.links), outer.inferred]).toEqual([[0b11], []]);
  });

  it("says by how many rows a public table is met, from the tables that the other side reads", async () => {
    const { meetings } = await graphOf("people p JOIN zips z ON p.zip = z.zip AND p.zip = z.state");
    expect(meetings.filter(({ node }) => node !== null)).toEqual([
      { to: 1, from: 1, rows: 1, node: 0, present: 3 },
      { to: 1, from: 1, rows: 4, node: 0, present: 3 },
    ]);
    const made = await graphOf("people p JOIN zips z ON p.zip || 'x' = z.zip");
    // What is computed of a missing column may be there all the same.
    expect(made.meetings).toEqual([{ to: 1, from: 1, rows: 1, node: 0, present: 2 }]);
  });
});
