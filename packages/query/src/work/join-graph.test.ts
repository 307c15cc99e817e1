import { describe, expect, it } from "vitest";
import type { Expression } from "../resolve/expression.ts";
import type { RowLimit, Source } from "../resolve/relation.ts";
import { everyTrue, rowsOfValue } from "./join-graph.ts";

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
