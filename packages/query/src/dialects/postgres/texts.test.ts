import { describe, expect, it } from "vitest";
import { columns } from "./columns.ts";
import { postgres } from "./index.ts";
import { bothEvaluatedOnce, evaluatedOnce } from "./let.ts";

describe("SQL for PostgreSQL", () => {
  it("joins texts by calls of at most a hundred arguments, each text once and in order", () => {
    const parts = (count: number): string[] => Array.from({ length: count }, (_, at) => `p${at}`);
    expect(postgres.joined(parts(3))).toBe("concat(p0, p1, p2)");
    for (const count of [1, 99, 100, 101, 199, 200, 1000]) {
      const text = postgres.joined(parts(count));
      expect(text.match(/p\d+/g)).toEqual(parts(count));
      expect(text.match(/concat\(/g)!.length).toBe(count <= 100 ? 1 : Math.ceil((count - 1) / 99));
      expect(mostArguments(text)).toBeLessThanOrEqual(100);
    }
  });

  it("repeats a column's text where that is short and asks nothing", () => {
    expect(postgres.isCheap("x".repeat(400))).toBe(true);
    expect(postgres.isCheap("x".repeat(401))).toBe(false);
    expect(postgres.isCheap("(SELECT 1)")).toBe(false);
  });

  it("computes an operand once, but repeats bare columns and numbers", () => {
    const domain = { type: "number", bounds: null, integer: false, nullable: true, values: null } as const;
    const body = (a: string, b: string): string => `${a} + ${b}`;
    const bare = { sql: "t.x", bound: { kind: "column", name: "x", domain } } as const;
    const seven = { sql: "7", bound: { kind: "literal", value: 7, domain } } as const;
    const word = { sql: "'w'", bound: { kind: "literal", value: "w", domain: { ...domain } } } as const;
    expect(bothEvaluatedOnce(bare, seven, body)).toBe("(t.x + 7)");
    expect(bothEvaluatedOnce(bare, { sql: "g(x)" }, body)).toBe(
      "(SELECT t.x + let.v0 FROM (SELECT g(x) AS v0 OFFSET 0) AS let)",
    );
    expect(bothEvaluatedOnce({ sql: "f(x)" }, { sql: "g(x)" }, body)).toBe(
      "(SELECT let.v0 + let.v1 FROM (SELECT f(x) AS v0, g(x) AS v1 OFFSET 0) AS let)",
    );
    expect(evaluatedOnce(word, (name) => name)).toBe(
      "(SELECT let.v0 FROM (SELECT 'w' AS v0 OFFSET 0) AS let)",
    );
  });
});

describe("a unit's name for PostgreSQL", () => {
  it("may be longer than is kept where its type says so, and is hashed there alone", () => {
    for (const native of ["text", "varchar", "numeric", "decimal", undefined])
      expect(columns.unit("u", native), native).toContain("sha256");
    for (const native of ["int8", "float8", "bool", "uuid", "date", "timestamptz", "inet", "enum"])
      expect(columns.unit("u", native), native).not.toContain("sha256");
    expect(columns.unit("u", "text")).toContain("<= 256 THEN");
    expect(columns.unit("u", "text")).toContain(", 257, '#')");
  });

  it("is made of a cheaper value, where values differ exactly where their texts do", () => {
    for (const native of ["int2", "int4", "int8", "uuid"]) {
      const { value, name } = columns.ownUnit("u", native);
      expect([value, name("v")]).toEqual(["u", columns.unit("v", native)]);
    }
    for (const native of ["text", "numeric", "float8", "citext", "date", undefined]) {
      const { value, name } = columns.ownUnit("u", native);
      expect([value, name("v")]).toEqual([columns.unit("u", native), "v"]);
    }
  });
});

/** The most arguments of a call within a text of calls. */
function mostArguments(text: string): number {
  const open: number[] = [];
  let most = 0;
  for (const mark of text) {
    if (mark === "(") open.push(1);
    else if (mark === ",") open[open.length - 1]! += 1;
    else if (mark === ")") most = Math.max(most, open.pop()!);
  }
  return most;
}
