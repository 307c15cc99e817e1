import { expect, test } from "vitest";
import { asksToExplain } from "./cut-explain.ts";
import { parseQuestion } from "./parse-question.ts";

const select = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) COUNT(*) FROM people";

test.each([
  `EXPLAIN PRIVACY ${select}`,
  `explain  -- the plan\n privacy /* please */ ${select}`,
  `EXPLAIN PRIVACY WITH old AS (SELECT age FROM people) SELECT COUNT(*) FROM old`,
])("%s asks for its plan, and every place still points into the text", async (text) => {
  expect(asksToExplain(text)).toBe(true);
  const { explains, select: tree, text: kept } = await parseQuestion(text);
  expect(explains).toBe(true);
  expect(kept).toBe(text);
  const [target] = tree.targetList as { ResTarget: { location: number } }[];
  expect(text.slice(target!.ResTarget.location)).toMatch(/^COUNT/);
});

test.each([
  select,
  "",
  "EXPLAIN",
  '"explain" privacy SELECT 1',
  "EXPLAIN 'privacy' SELECT 1",
  "SELECT explain FROM privacy",
])("%j does not", (text) => {
  expect(asksToExplain(text)).toBe(false);
});

test.each([`EXPLAIN ${select}`, `EXPLAIN ANALYZE ${select}`, `EXPLAIN (FORMAT JSON) ${select}`])(
  "%s is refused, and says what to write",
  async (text) => {
    await expect(parseQuestion(text)).rejects.toMatchObject({
      code: "query.unsupported",
      fix: expect.stringContaining("EXPLAIN PRIVACY SELECT"),
      offset: 0,
    });
  },
);

test("a refused EXPLAIN is pointed at where it stands", async () => {
  await expect(parseQuestion(`  /* é */ EXPLAIN ${select}`)).rejects.toMatchObject({ offset: 10 });
});

test("nothing behind it is no question, and no second EXPLAIN is one", async () => {
  await expect(parseQuestion("EXPLAIN PRIVACY")).rejects.toMatchObject({ code: "query.syntax" });
  await expect(parseQuestion(`EXPLAIN PRIVACY EXPLAIN PRIVACY ${select}`)).rejects.toMatchObject({
    code: "query.syntax",
  });
  await expect(parseQuestion("EXPLAIN PRIVACY DELETE FROM people")).rejects.toMatchObject({
    code: "query.unsupported",
  });
});
