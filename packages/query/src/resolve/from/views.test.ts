import { LetheError, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { explainQuestion } from "../../explain/alternatives/explain-question.ts";
import { parseQuestion } from "../../parse/index.ts";
import { type Plan, planQuestion } from "../../plan/index.ts";
import { type Policy, policyHash, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../index.ts";
import { checkViews } from "./check-views.ts";

const policyOf = (views = ""): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
defaults: { epsilon: 1 }
${views}
tables:
  people:
    file: people.parquet
    unit: id
    key: id
    columns:
      id: { type: text }
      age: { type: integer, bounds: [0, 100] }
      ward: { type: text, categories: [north, south], default: north }
  visits:
    file: visits.parquet
    unit: { through: person, references: people.id }
    max_groups_contributed: 2
    max_rows_contributed_per_group: 3
    columns:
      person: { type: text }
      cost: { type: number, bounds: [0, 60], default: 0 }
  wards:
    file: wards.csv
    public: true
    key: name
    columns:
      name: { type: text, categories: [north, south], default: north }
      rich: { type: boolean, default: false }
`);

const adults = "SELECT id, age - 18 AS grown, ward FROM people WHERE age >= 18";
const seen = "SELECT a.ward, v.cost, a.id FROM visits v JOIN Adults a ON v.person = a.id";
const policy = policyOf(
  `views:\n  adults: ${JSON.stringify(adults)}\n  "Seen Ones": ${JSON.stringify(seen)}`,
);

const planned = async (text: string, by = policy): Promise<Plan> =>
  planQuestion(resolveQuestion(await parseQuestion(text), by), by, { epsilon: parseRational("1") }, "hash");
const refusal = async (text: string, by: Policy): Promise<LetheError> => {
  try {
    resolveQuestion(await parseQuestion(text), by);
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
  throw new Error(`was accepted: ${text}`);
};

describe("a view of the policy", () => {
  it.each([
    ["FROM adults", `WITH adults AS (${adults})`, "SELECT ward, AVG(grown), COUNT(*)", "GROUP BY ward"],
    ["FROM ADULTS x", `WITH adults AS (${adults})`, "SELECT COUNT(DISTINCT x.id)", "WHERE x.grown > 3"],
    [
      'FROM "Seen Ones"',
      `WITH adults AS (${adults}), "Seen Ones" AS (${seen})`,
      "SELECT ward, SUM(cost)",
      "GROUP BY ward",
    ],
    [
      "FROM adults JOIN wards w ON adults.ward = w.name",
      `WITH adults AS (${adults})`,
      "SELECT rich, COUNT(*)",
      "GROUP BY rich",
    ],
    ["FROM (SELECT grown FROM adults) AS t", `WITH adults AS (${adults})`, "SELECT MEDIAN(grown)", ""],
  ])("%s is the subquery of that name, resolved and planned alike", async (from, stated, list, rest) => {
    const bare = policyOf();
    const [viewed, named] = [
      await planned(`${list} ${from} ${rest}`),
      await planned(`${stated} ${list} ${from} ${rest}`, bare),
    ];
    expect({ ...viewed, text: "" }).toEqual({ ...named, text: "" });
  });

  it("yields to a WITH of its name, and need not be read", async () => {
    const own = await planned(
      "WITH adults AS (SELECT age FROM people) SELECT COUNT(*) FROM adults WHERE age > 5",
    );
    expect(JSON.stringify(own)).not.toContain("18");
    expect((await planned("SELECT COUNT(*) FROM people")).text).toBe("SELECT COUNT(*) FROM people");
  });

  it("is shown before paying, with those that it reads", async () => {
    const question = resolveQuestion(await parseQuestion('SELECT COUNT(*) FROM "Seen Ones"'), policy);
    const { views, tree } = explainQuestion(question, policy, {}, policyHash(policy));
    expect(views).toEqual([
      { name: "adults", sql: adults },
      { name: "Seen Ones", sql: seen },
    ]);
    expect(JSON.stringify(tree)).toContain("age >= 18");
    const plain = resolveQuestion(await parseQuestion("SELECT COUNT(*) FROM people"), policy);
    expect(explainQuestion(plain, policy, {}, policyHash(policy)).views).toEqual([]);
  });

  it("is part of what an answer means; a policy without views keeps its hash", () => {
    expect(policyHash(policy)).not.toBe(policyHash(policyOf()));
    expect(policyHash(policyOf(`views: { adults: ${JSON.stringify(`${adults} AND age < 99`)} }`))).not.toBe(
      policyHash(policyOf(`views: { adults: ${JSON.stringify(adults)} }`)),
    );
    expect(policyHash(policyOf("views: {}"))).toBe(policyHash(policyOf()));
  });

  it.each([
    ["what no subquery may hold", "SELECT age FROM people LIMIT 5", "query.unsupported", /in the view v: /],
    [
      "aggregates of groups",
      "SELECT ward, COUNT(*) AS n FROM people GROUP BY ward",
      "query.unsupported",
      /in the view v: /,
    ],
    ["windows", "SELECT SUM(age) OVER () AS s FROM people", "query.unsupported", /./],
    ["a table that is not there", "SELECT x FROM nowhere", "query.unknown-table", /no table "nowhere"/],
    ["a column that is not there", "SELECT x FROM people", "query.unknown-column", /in the view v: /],
    ["itself", "SELECT * FROM v", "query.unknown-table", /no table "v"/],
    ["a view behind it", "SELECT * FROM later", "query.unknown-table", /no table "later"/],
    ["a parameter", "SELECT age FROM people WHERE age > $1", "policy.invalid", /no parameters/],
    ["two statements", "SELECT age FROM people; SELECT 1", "policy.invalid", /not one SELECT/],
    ["what is no SQL", "SELECT age FROM people WHERE (", "policy.invalid", /grammar/],
    [
      "endless nesting",
      `SELECT ${"(".repeat(9000)}1${")".repeat(9000)} FROM people`,
      "policy.invalid",
      /nest|parts/,
    ],
  ])("of %s is refused at the question's own place, and to its owner", async (_, sql, code, says) => {
    const by = policyOf(`views: { v: ${JSON.stringify(sql)}, later: "SELECT age FROM people" }`);
    const text = "SELECT AVG(age) FROM v";
    const error = await refusal(text, by);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(says);
    if (code !== "policy.invalid") expect(error.offset).toBe(text.indexOf("FROM v") + 5);
    expect(error.fix).toContain("views.v");
    await expect(checkViews(by)).rejects.toMatchObject({ code });
  });

  it("cannot grow beyond what a question may read", async () => {
    const doubled = Array.from({ length: 20 }, (_, i) => {
      const [a, b] = i === 0 ? ["people", "people"] : [`v${i - 1}`, `v${i - 1}`];
      return `v${i}: "SELECT a.id FROM ${a} a JOIN ${b} b ON a.id = b.id"`;
    });
    const error = await refusal("SELECT COUNT(*) FROM v19", policyOf(`views: { ${doubled.join(", ")} }`));
    expect(error.code).toBe("query.too-large");
  });

  it.each([
    ["people: 'SELECT 1'", /has the name of a table/],
    ["PEOPLE: 'SELECT 1'", /has the name of a table/],
    ["v: 'DELETE FROM people'", /is not a SELECT/],
    ["v: 5", /must be a SELECT/],
    ["v: 'SELECT 1', V: 'SELECT 2'", /only by case/],
  ])("a policy with views { %s } is refused", (views, says) => {
    expect(() => policyOf(`views: { ${views} }`)).toThrow(says);
  });
});

describe("a view that joins a public table", () => {
  const rows = "SELECT v.cost FROM visits v JOIN wards w ON v.ward = w.name";
  const by = (view: string, key = "key: name"): Policy =>
    readPolicy(
      `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
views: { v: ${JSON.stringify(view)}, again: "SELECT * FROM v" }
tables:
  visits: { file: visits.parquet, unit: person, columns: { person: { type: text }, ward: { type: text }, cost: { type: number, bounds: [0, 9] } } }
  wards: { file: wards.csv, public: true, ${key}${key === "" ? "" : ", "}columns: { name: { type: text }, rich: { type: boolean } } }
`,
    );

  it.each([
    ["by nothing", rows.replace("ON v.ward = w.name", "ON TRUE"), "key: name", "max_rows: 50"],
    ["by no key", rows, "", "key: name"],
    ["by no key, counted", rows, "", "rows_per_key: { name: 40 }"],
    ["below another view", rows.replace("JOIN wards", "LEFT JOIN wards"), "", "max_rows: 50"],
  ])("%s is refused before any question is, with a fix that works", async (_, view, key, fixed) => {
    const refused = await checkViews(by(view, key)).catch((error: LetheError) => error);
    expect(refused).toMatchObject({
      code: "query.unsupported",
      message: expect.stringContaining("in the view v: "),
    });
    const asked = await refusal("SELECT AVG(cost) FROM again WHERE cost > 1", by(view, key));
    expect(asked.message).toContain((refused as LetheError).message.replace("in the view v: ", ""));
    expect((refused as LetheError).fix).toContain(fixed.split(":")[0]);
    await expect(checkViews(by(view, fixed))).resolves.toBeUndefined();
    await expect(planned("SELECT AVG(cost) FROM again", by(view, fixed))).resolves.toBeDefined();
  });
});

it("a sound policy's views are checked without a refusal", async () => {
  await expect(checkViews(policy)).resolves.toBeUndefined();
});
