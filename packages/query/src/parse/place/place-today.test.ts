import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse-question.ts";

const today = "2026-11-27";
/** The tree of a text without places, and the day that it read. */
async function read(
  text: string,
  day: string | null = today,
): Promise<readonly [string, string | undefined]> {
  const parsed = await parseQuestion(text, [], day);
  return [
    JSON.stringify(parsed.select, (name, value) => (name === "location" ? undefined : value)),
    parsed.today,
  ];
}

describe("the present time of a question is a day", () => {
  it.each([
    ["CURRENT_DATE", "DATE '2026-11-27'"],
    ["today()", "DATE '2026-11-27'"],
    ["current_date()", "DATE '2026-11-27'"],
    ["CURRENT_TIMESTAMP ( )", "CAST('2026-11-27 00:00:00' AS \"timestamp\")"],
    ["now()", "CAST('2026-11-27 00:00:00' AS \"timestamp\")"],
    ["LOCALTIMESTAMP", "CAST('2026-11-27 00:00:00' AS \"timestamp\")"],
    ["current_timestamp(3)", "CAST('2026-11-27 00:00:00' AS \"timestamp\")"],
    ["age(CURRENT_DATE, t)", "age(DATE '2026-11-27', t)"],
    ["age(t)", "age(DATE '2026-11-27', t)"],
  ])("%s", async (written, meant) => {
    const text = (time: string): string =>
      `SELECT COUNT(*) FROM x WHERE f(${time}) AND t < (SELECT MAX(t) FROM y WHERE t > ${time})`;
    const [tree, day] = await read(text(written));
    expect(day).toBe(today);
    expect(tree).toBe((await read(text(meant)))[0]);
    // Without a day the text asks for a time that nobody knows.
    expect((await read(text(written), null))[1]).toBeUndefined();
  });

  it.each([
    "DATE '2020-01-01'",
    "now",
    "x.now()",
    "now(3)",
    "CURRENT_TIME",
    "CURRENT_USER",
    "age(a, b)",
    "'now()'",
  ])("and of others none is read: %s", async (written) => {
    const text = `SELECT COUNT(*) FROM x WHERE t > ${written}`;
    const [tree, day] = await read(text);
    expect(day).toBeUndefined();
    expect(tree).toBe((await read(text, null))[0]);
  });

  it.each(["", "today", "2026-02-30", "2026-11-27 10:00:00", "27.11.2026"])("%j is no day", async (day) => {
    await expect(read("SELECT COUNT(*) FROM x", day)).rejects.toMatchObject({ code: "query.parameter" });
  });
});
