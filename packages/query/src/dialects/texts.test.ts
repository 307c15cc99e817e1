import { describe, expect, it } from "vitest";
import { duckdb, postgres } from "./index.ts";

// Questions and policies hold no U+0000; a dialect alone may not rely on that: within SQL it would end the text.
describe("a text with the character U+0000", () => {
  it("is spelled out for DuckDB", () => {
    expect(duckdb.text("it's\0\0so")).toBe("('it''s' || chr(0) || '' || chr(0) || 'so')");
  });

  it("is none for PostgreSQL", () => {
    expect(() => postgres.text("a\0b")).toThrow(expect.objectContaining({ code: "query.unsupported" }));
  });
});
