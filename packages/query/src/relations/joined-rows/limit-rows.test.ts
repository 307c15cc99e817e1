import { describe, expect, it, test } from "vitest";
import { parseQuestion } from "../../parse/parse-question.ts";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { Policy } from "../../policy/policy.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { resolveQuestion } from "../../resolve/question/resolve-question.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { tablesOf } from "../relation.ts";
import { joinedRows, questionsRows } from "./joined-rows.ts";

const policyWith = (words: { zips?: string; people?: string; visits?: string } = {}): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
tables:
  people: { file: a.duckdb, unit: id, ${words.people ?? ""} columns: {
    id: { type: integer }, zip: { type: text }, state: { type: text }, age: { type: integer, bounds: [0, 9] } } }
  visits: { file: a.duckdb, unit: { through: person, references: people.id }, key: visit, ${words.visits ?? ""} columns: {
    visit: { type: text }, person: { type: integer }, cost: { type: integer, bounds: [0, 9] } } }
  items: { file: a.duckdb, unit: { through: visit, references: visits.visit }, columns: {
    visit: { type: text }, price: { type: integer, bounds: [0, 9] } } }
  guests: { file: a.duckdb, unit: row, columns: { zip: { type: text }, state: { type: text } } }
  zips: { file: a.duckdb, public: true, ${words.zips ?? ""} columns: {
    zip: { type: text }, state: { type: text }, size: { type: number, bounds: [0, 9] }, n: { type: integer } } }
  states: { file: a.duckdb, public: true, key: code, columns: { code: { type: text }, state: { type: text } } }
`);

const bound = async (from: string, policy: Policy): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(`SELECT COUNT(*) FROM ${from}`), policy);

/** The bound, and what limits each table, from left to right. */
async function limited(from: string, policy: Policy): Promise<[number, ...string[]]> {
  const question = await bound(from, policy);
  const words = tablesOf(question.from).map(({ table, oncePer, limits = [] }) =>
    [
      table,
      ...(oncePer === null ? [] : [`once per ${oncePer}`]),
      ...limits.map((limit) => `${limit.rows} per ${"column" in limit ? limit.column : limit.per}`),
    ].join(" "),
  );
  return [joinedRows(questionsRows(question)), ...words];
}

const refusal = (from: string, policy: Policy) => refusalOf(bound(from, policy));

const nine = Array.from({ length: 9 }, (_, at) => `JOIN zips z${at} ON p.zip = z${at}.zip`).join(" ");

describe("one private row meets at most 1,000 joined rows", () => {
  test("a table that is joined nine times on what many rows share is refused, and with its key it is not", async () => {
    const from = `people p ${nine}`;
    const error = await refusal(from, policyWith());
    expect(error.code).toBe("query.unsupported");
    expect(error.message).toBe("the policy does not say how many rows of zips a row may match by zip");
    expect(error.fix).toContain("key: zip");
    expect(await limited(from, policyWith({ zips: "key: zip," }))).toEqual([
      1,
      "people",
      ...Array.from({ length: 9 }, () => "zips once per zip"),
    ]);
    const many = policyWith({ zips: "rows_per_key: { zip: 3 }," });
    expect((await refusal(from, many)).message).toContain("19683 joined rows, but at most 1000 are allowed");
    expect((await limited(from.split(" JOIN zips z6")[0]!, many))[0]).toBe(729);
  });

  it.each<[string, string, [number, ...string[]]]>([
    ["a public row, by its key", "people p JOIN zips z ON p.zip = z.zip", [1, "people", "zips once per zip"]],
    [
      "public rows, by a column",
      "people p JOIN zips z ON p.state = z.state",
      [40, "people", "zips 40 per state"],
    ],
    [
      "both: an engine may find them by either",
      "people p JOIN states s ON p.age = 3 AND s.code = p.state JOIN zips z ON z.zip = s.state AND z.state = p.state",
      [40, "people", "states once per code", "zips once per zip 40 per state"],
    ],
    ["all public rows", "people p CROSS JOIN zips z", [50, "people", "zips 50 per table"]],
    [
      "rows of one unit",
      "people JOIN visits ON id = person",
      [1000, "people 1000 per unit", "visits 1000 per unit"],
    ],
    [
      "rows of one unit, kept where there are none",
      "people LEFT JOIN visits ON id = person",
      [1000, "people 1000 per unit", "visits 1000 per unit"],
    ],
    [
      "a table with itself",
      "visits a JOIN visits b ON a.person = b.person",
      [1000, "visits 500 per unit", "visits 500 per unit"],
    ],
    [
      "a table with itself, six times",
      `visits a ${["b", "c", "d", "e", "f"].map((name) => `JOIN visits ${name} ON a.person = ${name}.person`).join(" ")}`,
      [192, ...Array.from({ length: 6 }, () => "visits 2 per unit")] as [number, ...string[]],
    ],
    [
      "one row of each key",
      "people JOIN visits v ON id = person JOIN items i ON i.visit = v.visit",
      [961, "people 31 per unit", "visits 31 per unit", "items 31 per unit"],
    ],
    [
      "a row that is a unit",
      "guests g JOIN zips z ON g.zip = z.zip WHERE g.state IN (SELECT code FROM states)",
      [1, "guests", "zips once per zip", "states once per code"],
    ],
    [
      "rows of a subquery that is grouped by the unit",
      "people JOIN (SELECT person, COUNT(*) AS n FROM visits GROUP BY person) v ON id = person",
      [1000, "people 1000 per unit", "visits"],
    ],
    [
      "rows that are grouped by more",
      "people JOIN (SELECT person, cost, COUNT(*) AS n FROM visits GROUP BY person, cost) v ON id = person",
      [1000, "people 1000 per unit", "visits 1000 per unit"],
    ],
    [
      "a table that stands in two parts of a union",
      "(SELECT zip, age FROM people UNION ALL SELECT zip, age FROM people) p JOIN zips z ON p.zip = z.zip",
      [2, "people", "people", "zips once per zip"],
    ],
    [
      "rows that are looked up",
      "visits v JOIN people p ON id = person WHERE p.state IN (SELECT state FROM zips)",
      [1000, "visits 25 per unit", "people 25 per unit", "zips 40 per state"],
    ],
    [
      "public rows, kept where there are none",
      "people p LEFT JOIN zips z ON p.state = z.state",
      [40, "people", "zips 40 per state"],
    ],
    [
      "public rows that stand on the left",
      "zips z RIGHT JOIN people p ON p.state = z.state",
      [40, "zips 40 per state", "people"],
    ],
    [
      "public rows that WHERE finds",
      "people p, zips z WHERE p.state = z.state",
      [40, "people", "zips 40 per state"],
    ],
    [
      "public rows of one value",
      "people p JOIN zips z ON z.state = 'x'",
      [40, "people", "zips 40 per state"],
    ],
    [
      "public rows that an engine may join before WHERE chooses among them",
      "people p CROSS JOIN zips z WHERE z.zip = 'a'",
      [50, "people", "zips once per zip 50 per table"],
    ],
    [
      "a public row by its key, whatever else must be equal",
      "people p JOIN zips z ON p.zip = z.zip AND p.state = z.state",
      [1, "people", "zips once per zip 40 per state"],
    ],
    [
      "public rows that a subquery shows",
      "people p JOIN (SELECT zip, state FROM zips) z ON p.state = z.state",
      [40, "people", "zips 40 per state"],
    ],
    [
      "public rows that are looked up for each row",
      "people p WHERE EXISTS (SELECT 1 FROM zips z WHERE z.state = p.state)",
      [40, "people", "zips 40 per state"],
    ],
    [
      "rows of one unit, each of which meets public rows",
      "people p JOIN visits v ON id = person LEFT JOIN zips z ON z.state = p.state",
      [1000, "people 25 per unit", "visits 25 per unit", "zips 40 per state"],
    ],
    [
      "rows of one unit, none of which an alternative ties to public rows",
      "people p JOIN visits v ON p.id = v.person JOIN zips z ON z.zip = p.zip OR z.state = p.state",
      [1000, "people 20 per unit", "visits 20 per unit", "zips 50 per table"],
    ],
    [
      "rows of one unit, kept on either side",
      "people p FULL JOIN visits v ON p.id = v.person",
      [1000, "people 1000 per unit", "visits 1000 per unit"],
    ],
    [
      "rows of one unit in a full join within another",
      "people p JOIN (visits v FULL JOIN items i ON v.visit = i.visit) ON p.id = v.person",
      [961, "people 31 per unit", "visits 1 per visit 31 per unit", "items 31 per unit"],
    ],
    [
      "a public row by a key that is there on one side of a full join alone",
      "people p JOIN (visits v FULL JOIN items i ON v.visit = i.visit) ON p.id = v.person JOIN zips z ON z.zip = v.visit",
      // A person meets 31 · 31 pairs and 31 visits without an item; an item without its visit has no zip.
      [31 * 31 + 31, "people 31 per unit", "visits 31 per unit", "items 31 per unit", "zips once per zip"],
    ],
    [
      "a table with itself, each of whose rows meets all public rows in two places",
      "visits v JOIN visits w ON v.person = w.person LEFT JOIN zips z ON z.size = v.cost",
      [1000, "visits 10 per unit", "visits 10 per unit", "zips 50 per table"],
    ],
    [
      "rows beside a window over rows of one unit",
      "(SELECT person, cost, ROW_NUMBER() OVER (PARTITION BY person ORDER BY cost) AS r FROM visits) v JOIN people p ON p.id = v.person",
      [1000, "visits 1000 per unit", "people 1000 per unit"],
    ],
    [
      "one grouped row of each unit, beside public rows",
      "people p JOIN (SELECT person, SUM(cost) AS c FROM visits GROUP BY person) v ON p.id = v.person JOIN zips z ON z.state = p.state",
      [1000, "people 25 per unit", "visits", "zips 40 per state"],
    ],
  ])("%s", async (_, from, expected) => {
    const policy = policyWith({ zips: "key: zip, rows_per_key: { state: 40 }, max_rows: 50," });
    expect(await limited(from, policy)).toEqual(expected);
  });

  test("a table alone, and public tables among themselves, are read without limits", async () => {
    const policy = policyWith({ zips: "max_rows: 50,", people: "max_rows_before_join: 3," });
    expect(await limited("people", policy)).toEqual([1, "people"]);
    expect(await limited("people WHERE zip = 'a'", policy)).toEqual([1, "people"]);
  });

  test("a key that is the unit's own, and a number that the policy states, leave more to the other tables", async () => {
    const chain = "people JOIN visits v ON id = person JOIN items i ON i.visit = v.visit";
    expect(await limited(chain, policyWith({ people: "key: id," }))).toEqual([
      1000,
      "people 1 per unit",
      "visits 1 per visit 1000 per unit",
      "items 1000 per unit",
    ]);
    expect(await limited(chain, policyWith({ people: "max_rows_before_join: 2," }))).toEqual([
      1000,
      "people 2 per unit",
      "visits 1 per visit 500 per unit",
      "items 500 per unit",
    ]);
  });

  it.each([
    ["people p JOIN zips z ON p.age < z.n", "every row would be joined with every row of zips", "max_rows"],
    [
      "people p JOIN zips z ON p.zip = upper(z.zip)",
      "every row would be joined with every row of zips",
      "max_rows",
    ],
    ["people p JOIN zips z ON p.age = z.size", "how many rows of zips a row may match by size", "max_rows"],
    [
      "people p JOIN zips z ON p.zip = z.zip OR p.age = 3",
      "every row would be joined with every row",
      "max_rows",
    ],
    ["people p, zips z WHERE p.zip || 'x' = z.zip", "every row would be joined with every row", "max_rows"],
    [
      "people p JOIN zips z ON z.zip = z.state",
      "every row would be joined with every row of zips",
      "max_rows",
    ],
    [
      "people p JOIN zips z ON p.zip <> z.zip",
      "every row would be joined with every row of zips",
      "max_rows",
    ],
    [
      "people p JOIN zips z ON p.zip || z.state = z.zip",
      "every row would be joined with every row of zips",
      "max_rows",
    ],
    [
      "people p WHERE zip IN (SELECT zip FROM zips)",
      "how many rows of zips a row may match by zip",
      "key: zip",
    ],
    [
      "people p WHERE EXISTS (SELECT 1 FROM zips)",
      "every row would be joined with every row of zips",
      "max_rows",
    ],
    [
      "people p JOIN states s ON s.code = p.state JOIN zips z ON z.n = p.age AND z.zip = s.state",
      "how many rows of zips a row may match by",
      "rows_per_key",
    ],
    [
      "people p JOIN states s ON s.code = p.state JOIN states t ON t.code = s.code AND t.state <> p.zip",
      "every row",
      "max_rows",
    ],
    [
      "guests g JOIN states s ON s.code = g.state JOIN states t ON t.code = s.state AND t.state = g.zip",
      "how many rows of states a row may match by",
      "rows_per_key: { state: 40 }",
    ],
  ])("%s", async (from, wrong, fix) => {
    const error = await refusal(from, policyWith());
    expect(error.code).toBe("query.unsupported");
    expect(error.message).toContain(wrong);
    expect(error.fix).toContain(fix);
  });
});

describe("a refusal says where, and what would help", () => {
  const asked = "SELECT COUNT(*) FROM ";
  it("of tables that are bounded, but not enough", async () => {
    const policy = policyWith({ zips: "rows_per_key: { state: 40 }, max_rows: 50," });
    const from = "people p JOIN zips z ON z.state = p.state JOIN zips y ON y.state = z.state";
    const error = await refusal(from, policy);
    expect(error.message).toBe(
      "one private row could stand in up to 1600 joined rows, but at most 1000 are allowed",
    );
    expect(error.fix).toContain(
      "join on the key of zips, leave out one of the tables, or declare fewer rows below zips in the policy (rows_per_key, max_rows)",
    );
    expect((error as { offset?: number }).offset).toBe(asked.length + from.indexOf("zips z"));
  });

  it("of tables that are bounded, but not enough even where each unit had one row", async () => {
    const policy = policyWith({ zips: "rows_per_key: { state: 40 }," });
    const from =
      "people p JOIN visits v ON p.id = v.person JOIN zips z ON z.state = p.state JOIN zips y ON y.state = p.state";
    expect((await refusal(from, policy)).message).toBe(
      "one private row could stand in up to 1600 joined rows, but at most 1000 are allowed",
    );
  });

  it("of the table that multiplies rows most", async () => {
    const policy = policyWith({ zips: "rows_per_key: { state: 40, zip: 30 }," });
    const from = "people p JOIN zips z ON z.zip = p.zip JOIN zips y ON y.state = p.state";
    const error = await refusal(from, policy);
    expect(error.message).toContain("up to 1200 joined rows");
    expect((error as { offset?: number }).offset).toBe(asked.length + from.indexOf("zips y"));
  });

  it.each([
    [
      "people p JOIN zips z ON p.age < z.n",
      {},
      "every row would be joined with every row of zips, and nothing limits how many there are",
      "state max_rows, of at most 1000, below zips in the policy",
    ],
    [
      "people p JOIN zips z ON p.age < z.n",
      { zips: "key: zip," },
      "every row would be joined with every row of zips, and nothing limits how many there are",
      "join on its key, ON x = zips.zip, or state max_rows, of at most 1000, below zips in the policy",
    ],
    [
      "people p JOIN zips z ON p.state = z.state",
      {},
      "the policy does not say how many rows of zips a row may match by state",
      "declare below zips in the policy key: state, if no two rows share it, or rows_per_key: { state: 40 } with the most that do, or state max_rows, of at most 1000, below zips in the policy",
    ],
    [
      "people p JOIN zips z ON p.state = z.state",
      { zips: "key: zip," },
      "the policy does not say how many rows of zips a row may match by state",
      "declare below zips in the policy rows_per_key: { state: 40 }, with the most rows that share a value, or state max_rows",
    ],
    [
      "people p JOIN zips z ON p.state = z.state AND p.zip = z.zip",
      {},
      "the policy does not say how many rows of zips a row may match by state and zip",
      "declare below zips in the policy key: state, if no two rows share it",
    ],
    [
      "people p JOIN zips z ON p.age = z.size",
      {},
      "the policy does not say how many rows of zips a row may match by size",
      "state max_rows, of at most 1000, below zips in the policy",
    ],
  ])("of a table that nothing bounds: %s with %j", async (from, words, message, fix) => {
    const error = await refusal(from, policyWith(words));
    expect(error.message).toBe(message);
    expect(error.fix).toContain(fix);
    expect((error as { offset?: number }).offset).toBe(asked.length + from.indexOf("zips z"));
  });
});

describe("what a policy says of joins", () => {
  it.each([
    [{ zips: "rows_per_key: { town: 3 }," }, "names a column that columns does not declare"],
    [{ zips: "rows_per_key: { size: 3 }," }, "is of type number"],
    [{ zips: "rows_per_key: { zip: 1001 }," }, "is above 1000"],
    [{ zips: "max_rows: 1001," }, "is above 1000"],
    [{ zips: "max_rows_before_join: 3," }, "limits the rows of a unit that a column names"],
    [{ people: "max_rows: 3," }, "is for public tables only"],
    [{ people: "rows_per_key: { zip: 3 }," }, "is for public tables only"],
    [{ people: "max_rows_before_join: 1001," }, "is above 1000"],
    [{ people: "max_rows_before_join: 0," }, "max_rows_before_join"],
  ])("%j", async (words, wrong) => {
    const error = await refusalOf(Promise.resolve().then(() => policyWith(words)));
    expect(error.code).toBe("policy.invalid");
    expect(error.message).toContain(wrong);
  });
});
