import { describe, expect, it } from "vitest";
import { writtenBrackets } from "./written-brackets.ts";

describe("what stands in brackets", () => {
  it.each([
    ["(a)", "(a)"],
    ["x > (SELECT  1 -- one\n  FROM t) AND (y)", "(SELECT 1 FROM t)"],
    ["f(a, (b), ')', \")\") + (c)", "(a, (b), ')', \")\")"],
    ["(a /* ) */ + $1) b", "(a + $1)"],
    ["(open (twice", "(open (twice"],
  ])("of %j", (text, written) => {
    expect(writtenBrackets(text, text.indexOf("("))).toBe(written);
  });
});
