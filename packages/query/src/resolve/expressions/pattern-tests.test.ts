import { describe, expect, it } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { testPolicy } from "../testing/test-policy.ts";

async function conditionOf(sql: string): Promise<string> {
  const text = `SELECT COUNT(*) FROM people WHERE ${sql}`;
  const { where } = resolveQuestion(await parseQuestion(text), testPolicy);
  const written = writeSql(where ?? expect.fail("no condition"));
  const again = resolveQuestion(
    await parseQuestion(`SELECT COUNT(*) FROM people WHERE ${written}`),
    testPolicy,
  );
  expect(writeSql(again.where!)).toBe(written);
  return written;
}

describe("a test of a text against a pattern", () => {
  it.each([
    ["name ~ '^a+'", "name ~ '^a+'"],
    ["name !~ 'b$'", "NOT (name ~ 'b$')"],
    ["name ~* 'no'", "name ~ '[Nn][Oo]'"],
    ["name ~~ 'a%'", "name LIKE 'a%'"],
    ["regexp_matches(name, 'ab', 'i')", "name ~ '[Aa][Bb]'"],
    ["regexp_full_match(name, 'a|b')", "name ~ '^(?:a|b)$'"],
    ["name SIMILAR TO '(a|b)%'", "name ~ '^(?:a|b).*$'"],
    ["name NOT SIMILAR TO 'a!%' ESCAPE '!'", "NOT (name ~ '^a%$')"],
    ["name LIKE ANY (ARRAY['a%', '%b'])", "(name LIKE 'a%') OR (name LIKE '%b')"],
    ["name NOT LIKE ALL (ARRAY['a%', '%b'])", "(NOT (name LIKE 'a%')) AND (NOT (name LIKE '%b'))"],
    ["name ~ ANY (ARRAY['a', 'b'])", "(name ~ 'a') OR (name ~ 'b')"],
    ["age > ALL (ARRAY[20, 30])", "(age > 20) AND (age > 30)"],
    ["split_part(name, '@', 2) = 'x'", "SPLIT_PART(name, '@', 2) = 'x'"],
    ["regexp_extract(name, '@([a-z]+)', 1) = 'x'", "REGEXP_EXTRACT(name, '@([a-z]+)', 1) = 'x'"],
    ["substring(name from '[0-9]+') = '1'", "REGEXP_EXTRACT(name, '[0-9]+', 0) = '1'"],
    ["regexp_replace(name, '[^a-z]', '', 'g') = 'x'", "REGEXP_REPLACE(name, '[^a-z]', '', 'g') = 'x'"],
  ])("%s is %s", async (sql, written) =>
    expect((await conditionOf(sql)).replace(/ILIKE/g, "LIKE")).toBe(written),
  );

  it.each([
    ["name ~ letter", "a constant text"],
    ["name ~ '(a)\\1'", "in different ways"],
    ["name ~ 'a(?=b)'", "looks around"],
    ["regexp_extract(name, 'a|ab') = 'a'", "the longest text"],
    ["regexp_extract(name, '^(.*)@(.*)$', 1) = 'a'", "different places"],
    ["regexp_replace(name, 'a*', '') = 'a'", "the empty text"],
    ["regexp_replace(name, 'a', '\\1') = 'a'", "without parts of what matched"],
    ["split_part(name, '', 1) = 'a'", "a constant text"],
    ["split_part(name, '@', 0) = 'a'", "the number of the part"],
    ["age ~ 'a'", "a text is needed"],
  ])("%s is refused: %s", async (sql, message) =>
    expect((await refusalOf(conditionOf(sql))).message).toContain(message),
  );
});
