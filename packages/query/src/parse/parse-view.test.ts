import { LetheError } from "@lethe/core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadGrammar } from "./grammar.ts";
import { parseView } from "./parse-view.ts";

it("no view is read before a question has loaded the grammar", async () => {
  vi.resetModules();
  const anew = await import("./parse-view.ts");
  expect((await import("./grammar.ts")).grammarAtHand()).toBe(null);
  expect(() => anew.parseView("v", "SELECT 1")).toThrow(
    expect.objectContaining({ code: "internal.invariant" }),
  );
});

describe("the text of a view", () => {
  beforeAll(async () => {
    await loadGrammar();
  });

  it("is read as one SELECT without places", () => {
    const select = parseView("v", "SELECT a + 1 AS b FROM t WHERE c > 'ß'");
    expect(select.fromClause).toMatchObject([{ RangeVar: { relname: "t" } }]);
    expect(select.targetList).toMatchObject([{ ResTarget: { name: "b" } }]);
    expect(JSON.stringify(select)).not.toContain("location");
  });

  it("may have words of other dialects, as a question may", () => {
    expect(parseView("v", "SELECT TRY_CAST(a AS int) AS b FROM t")).toEqual(
      parseView("v", "SELECT CAST(a AS int) AS b FROM t"),
    );
    expect(parseView("v", "SELECT a, SUM(b) FROM t GROUP BY ALL")).toEqual(
      parseView("v", "SELECT a, SUM(b) FROM t GROUP BY ''"),
    );
  });

  it.each([
    [";", /it is not one SELECT$/],
    ["SELECT 1; SELECT 2", /it is not one SELECT$/],
    ["DELETE FROM t", /it is not one SELECT$/],
    ["SELECT FROM WHERE", /no SQL that PostgreSQL's grammar reads$/],
    ["SELECT 'a\0b'", /NUL or half a character$/],
    ["SELECT '\ud800'", /NUL or half a character$/],
    ["SELECT a FROM t WHERE b = $1", /a view has no parameters$/],
    [`SELECT ${"1,".repeat(40_000)}1`, /longer than 64 KiB$/],
    [`SELECT ${"- ".repeat(2_100)}1`, /more than 2000 parts$/],
  ])("%.20s… is refused by the view's name", (text, why) => {
    const refused = (): unknown => parseView("Old Ones", text);
    expect(refused).toThrow(LetheError);
    expect(refused).toThrow(
      expect.objectContaining({
        code: "policy.invalid",
        message: expect.stringMatching(why),
        fix: expect.stringContaining("one SELECT of columns"),
      }),
    );
    expect(refused).toThrow(/^views\.Old Ones: /);
  });
});
