import { describe, expect, it } from "vitest";
import { quoteIdentifier, quoteRelation, quoteText } from "./quote.ts";

describe("no name or text leaves its quotes", () => {
  it("doubles the quotes inside", () => {
    expect(quoteIdentifier('a"; DROP TABLE b; --')).toBe('"a""; DROP TABLE b; --"');
    expect(quoteRelation(["s", 'a".b'])).toBe('"s"."a"".b"');
    expect(quoteText("it's '' here")).toBe("'it''s '''' here'");
  });
});
