import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse-question.ts";

/** The tree of a text without places. */
async function read(text: string): Promise<string> {
  const { select } = await parseQuestion(text);
  return JSON.stringify(select, (name, value) => (name === "location" ? undefined : value));
}

describe("a column behind its table and schema", () => {
  it.each([
    [
      'SELECT "public"."v"."ward", COUNT(*) FROM "public"."v" GROUP BY "public"."v"."ward" ORDER BY "public"."v"."ward" ASC',
      "SELECT v.ward, COUNT(*) FROM public.v GROUP BY v.ward ORDER BY v.ward ASC",
    ],
    [
      "SELECT COUNT(*) FROM s.a JOIN public.b ON s.a.id = public.b.id WHERE f(s.a.x) > 3",
      "SELECT COUNT(*) FROM s.a JOIN public.b ON a.id = b.id WHERE f(a.x) > 3",
    ],
    [
      "SELECT COUNT(*) FROM s.a WHERE EXISTS (SELECT 1 FROM s.b WHERE s.b.id = s.a.id)",
      "SELECT COUNT(*) FROM s.a WHERE EXISTS (SELECT 1 FROM s.b WHERE b.id = a.id)",
    ],
    [
      "SELECT x.n FROM (SELECT s.a.n FROM s.a UNION ALL SELECT s.b.n FROM s.b) AS x",
      "SELECT x.n FROM (SELECT a.n FROM s.a UNION ALL SELECT b.n FROM s.b) AS x",
    ],
  ])("is one behind its table: %s", async (written, meant) => {
    expect(await read(written)).toBe(await read(meant));
  });

  it.each([
    "SELECT s.b.n FROM s.a",
    "SELECT t.a.n FROM s.a",
    "SELECT s.a.n FROM a",
    // An alias is the only name of its source, and of what it hides.
    "SELECT s.a.n FROM s.a AS a",
    "SELECT s.a.n FROM s.a AS b",
    "SELECT COUNT(*) FROM s.a WHERE EXISTS (SELECT 1 FROM s.b AS a WHERE s.a.n = 1)",
    "SELECT COUNT(*) FROM s.a WHERE EXISTS (SELECT 1 FROM (SELECT 1 AS n) AS a WHERE s.a.n = 1)",
    "SELECT s.a.n FROM (s.a JOIN s.b ON true) AS j",
    "SELECT COUNT(*) FROM s.b WHERE EXISTS (SELECT 1 FROM s.a) AND s.a.n = 1",
    "SELECT d.s.a.n FROM s.a",
  ])("stays as it is: %s", async (written) => {
    const named = /([st])\.([ab])\.n/.exec(written);
    expect(await read(written)).toContain(
      `{"String":{"sval":"${named?.[1]}"}},{"String":{"sval":"${named?.[2]}"}},{"String":{"sval":"n"}}`,
    );
  });
});
