import { describe, expect, it } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { resolvedSum } from "../testing/resolved-sum.ts";
import { testPolicy } from "../testing/test-policy.ts";
import { resolveQuestion } from "./resolve-question.ts";

const shop = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, age: { type: integer, bounds: [0, 99] } } }
  visits: { file: a.duckdb, unit: { through: person, references: people.id },
    columns: { person: { type: integer }, ward: { type: text }, open: { type: boolean } } }
  guests: { file: a.duckdb, unit: row, columns: { ward: { type: text } } }
  wards: { file: a.duckdb, public: true, key: ward, columns: { ward: { type: text }, town: { type: text } } }
  towns: { file: a.duckdb, public: true, columns: { town: { type: text } } }
`);

const inShop = async (text: string) => resolveQuestion(await parseQuestion(text), shop);

describe("refused, with what would be accepted", () => {
  it.each<[string, string, RegExp, RegExp]>([
    [
      "SELECT COUNT(*) FROM guests g JOIN wards w ON g.ward = w.town",
      "query.unsupported",
      /match at most one row of wards/,
      /declare the public table's key/,
    ],
    [
      "SELECT COUNT(*) FROM guests g JOIN wards w ON w.ward = w.town",
      "query.unsupported",
      /match at most one row of wards/,
      /public_table\.key/,
    ],
    [
      "SELECT COUNT(*) FROM guests g JOIN towns t ON g.ward = t.town",
      "query.unsupported",
      /match at most one row of towns/,
      /key in the policy/,
    ],
    [
      "SELECT COUNT(*) FROM guests g JOIN wards w ON g.ward > w.ward",
      "query.unsupported",
      /match at most one row of wards/,
      /join on it/,
    ],
    [
      "SELECT COUNT(*) FROM wards w FULL JOIN visits v ON v.ward = w.ward",
      "query.unsupported",
      /keep rows of wards/,
      /RIGHT JOIN/,
    ],
    [
      "SELECT COUNT(*) FROM visits v FULL JOIN wards w ON v.ward = w.ward",
      "query.unsupported",
      /keep rows of the public/,
      /LEFT JOIN/,
    ],
    [
      "SELECT COUNT(*) FROM guests g JOIN guests h ON g.ward = h.ward",
      "query.unsupported",
      /each row of guests is a unit/,
      /name the unit/,
    ],
    [
      "WITH a AS (SELECT ward FROM visits), A AS (SELECT ward FROM visits) SELECT COUNT(*) FROM a",
      "query.unsupported",
      /WITH names a twice/,
      /rename one/,
    ],
    [
      "SELECT COUNT(*) FROM (SELECT person, MIN(ward, contribution_bounds_per_row => (0, 1)) AS m FROM visits GROUP BY person) t",
      "query.option",
      /MIN takes no bounds/,
      /^write MIN\(.*ward\)$/,
    ],
    [
      "SELECT COUNT(*) FROM (SELECT person, MAX(open) AS m FROM visits GROUP BY person) t",
      "query.type",
      /MAX takes no boolean/,
      /COUNT_IF\(.*open.*\) > 0/,
    ],
    [
      "SELECT COUNT(*) FROM (SELECT person, SUM(person, person) AS m FROM visits GROUP BY person) t",
      "query.type",
      /SUM takes one argument/,
      /SUM\(x\)/,
    ],
    [
      "SELECT COUNT(*) FROM (SELECT person, MIN(NULL) AS m FROM visits GROUP BY person) t",
      "query.type",
      /always NULL/,
      /has values/,
    ],
    [
      "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY person ORDER BY ward USING <) AS n FROM visits) t",
      "query.unsupported",
      /USING/,
      /ASC or DESC/,
    ],
  ])("%s", async (text, code, message, fix) => {
    const refused = await refusalOf(inShop(text));
    expect(refused).toMatchObject({
      code,
      message: expect.stringMatching(message),
      fix: expect.stringMatching(fix),
    });
  });
});

describe("a public row is met by its key", () => {
  it.each([
    "SELECT COUNT(*) FROM guests g JOIN wards w ON g.ward = w.ward",
    "SELECT COUNT(*) FROM guests g JOIN wards w ON w.ward = UPPER(g.ward)",
    "SELECT COUNT(*) FROM wards w JOIN guests g ON g.ward = w.ward AND w.town > 'a'",
    "SELECT COUNT(*) FROM wards w RIGHT JOIN guests g ON w.ward = g.ward",
  ])("%s", async (text) => {
    const { from } = await inShop(text);
    const public_ =
      from.kind === "join" &&
      [from.left, from.right].find((side) => side.kind === "table" && side.table === "wards");
    expect(public_).toMatchObject({ oncePer: "ward" });
  });
});

describe("times", () => {
  const day = (text: string): Promise<string> => resolvedSum(`EXTRACT(day FROM ${text})`).then(writeSql);

  it.each([
    ["INTERVAL '1 month' + hired", "hired + INTERVAL '1 month'"],
    ["INTERVAL '2' DAY + seen", "seen + INTERVAL '2 days'"],
    ["30 + hired", "hired + 30"],
    ["(2 * 15) + hired", "hired + 30"],
  ])("%s is %s", async (written, same) => {
    expect(await day(written)).toBe(await day(same));
  });

  it.each([
    ["INTERVAL '1 month' - hired", /nothing can be subtracted from an interval/],
    ["30 - hired", /a constant number of days/],
    ["hired + age", /a constant number of days/],
    ["hired + hired", /a constant number of days/],
    ["hired + INTERVAL '1 fortnight'", /an interval consists of whole/],
    ["hired + INTERVAL '1 2 3'", /an interval consists of whole/],
    ["hired + INTERVAL '1-2' YEAR TO MONTH", /an interval consists of whole/],
  ])("%s is refused", async (written, message) => {
    const text = `SELECT SUM(EXTRACT(day FROM ${written})) FROM people`;
    const refused = await refusalOf(
      parseQuestion(text).then((parsed) => resolveQuestion(parsed, testPolicy)),
    );
    expect(refused).toMatchObject({ code: "query.type", message: expect.stringMatching(message) });
  });
});
