import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import type { Plan } from "./plan.ts";
import { tablesRead } from "./plan-relation.ts";
import { planQuestion } from "./question/plan-question.ts";
import { decodeKey, encodeKey, isIntegerKey, releaseProgram, shownKey } from "./release-program.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 9, delta: 1e-5 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer }, age: { type: integer, bounds: [0, 99] }, town: { type: text } } }
  visits: { file: a.duckdb, unit: { through: person, references: people.id }, key: visit, columns: { visit: { type: text }, person: { type: integer }, code: { type: text } } }
  items: { file: a.duckdb, unit: { through: visit, references: visits.visit }, columns: { visit: { type: text }, cost: { type: number, bounds: [0, 9] } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text }, kind: { type: text, categories: [x] } } }
  guests: { file: a.duckdb, unit: row, columns: { n: { type: integer, categories: [3, 1], default: 1 }, x: { type: number, bounds: [0, 9] }, b: { type: boolean }, d: { type: date, bounds: [2020-01-01, 2020-01-02], default: 2020-01-01 }, h: { type: text } } }
  early: { file: a.duckdb, unit: who, limit: rows-before-filter, columns: { who: { type: text }, x: { type: integer, bounds: [0, 9] }, y: { type: integer, bounds: [0, 9] } } }
`);
const planned = async (text: string): Promise<Plan> =>
  planQuestion(
    resolveQuestion(await parseQuestion(text), policy),
    policy,
    { epsilon: parseRational("1"), delta: parseRational("1e-6") },
    "hash",
  );

describe("the rows of a plan", () => {
  it("are one table's where its own column, or each row, is the unit", async () => {
    const people = await planned("SELECT COUNT(*) FROM people WHERE age > 3");
    expect(people.from).toEqual({
      kind: "table",
      table: "people",
      source: null,
      unit: { kind: "column", column: "id", path: [], names: { table: "people", column: "id" } },
      oncePer: null,
      columns: { age: policy.tables.people!.columns.age },
    });
    const guests = await planned("SELECT AVG(x) FROM guests");
    expect(guests.from).toMatchObject({
      table: "guests",
      unit: { kind: "row" },
      columns: { x: policy.tables.guests!.columns.x },
    });
  });

  it("are a relation where another table leads to the unit, or rows are made or renamed", async () => {
    const kinds: string[] = [];
    for (const text of [
      "SELECT COUNT(*) FROM visits",
      "SELECT COUNT(*) FROM people p WHERE p.age > 3",
      "SELECT COUNT(*) FROM (SELECT age FROM people) t WHERE age > 3",
      "SELECT COUNT(*) FROM visits JOIN codes USING (code)",
    ])
      kinds.push((await planned(text)).from.kind);
    expect(kinds).toEqual(["table", "table", "table", "join"]);
  });

  it("read each table once, and those by which units are found", async () => {
    const read = async (text: string): Promise<readonly string[]> => tablesRead(await planned(text));
    expect(await read("SELECT COUNT(*) FROM people")).toEqual(["people"]);
    // visits.person names the unit itself.
    expect(await read("SELECT COUNT(*) FROM visits")).toEqual(["visits"]);
    expect(await read("SELECT COUNT(*) FROM items")).toEqual(["items", "visits"]);
    expect(
      await read(
        "SELECT COUNT(*) FROM items i JOIN visits v ON i.visit = v.visit JOIN codes c ON v.code = c.code",
      ),
    ).toEqual(["items", "visits", "codes"]);
  });

  it("hold the columns that are read, in order of name, and all where rows are bounded before the filter", async () => {
    const columns = async (text: string): Promise<readonly string[]> => {
      const plan = await planned(text);
      return plan.from.kind === "table" ? Object.keys(plan.from.columns) : [];
    };
    expect(await columns("SELECT COUNT(*) FROM people")).toEqual([]);
    expect(await columns("SELECT SUM(age) FROM people WHERE town = 'x'")).toEqual(["age", "town"]);
    expect(await columns("SELECT h, COUNT(DISTINCT d), COVAR_POP(x, n) FROM guests GROUP BY h")).toEqual([
      "d",
      "h",
      "n",
      "x",
    ]);
    expect(await columns("SELECT SUM(x) FROM early")).toEqual(["who", "x", "y"]);
  });

  it("say how many joined rows one row stands in, where rows meet", async () => {
    expect((await planned("SELECT COUNT(*) FROM visits JOIN codes USING (code)")).joinedRows).toBe(1);
    expect(await planned("SELECT COUNT(*) FROM visits")).not.toHaveProperty("joinedRows");
    expect(await planned("SELECT COUNT(*) FROM people")).not.toHaveProperty("joinedRows");
  });

  it("leave out of a plan what its question has not", async () => {
    const plain = await planned("SELECT COUNT(*) FROM guests");
    for (const part of ["parameters", "groupings", "totals", "trees", "learned", "joinedRows"])
      expect(plain, part).not.toHaveProperty(part);
    expect(plain.keys).toEqual({ parts: [], program: { kind: "none" } });
  });
});

describe("keys", () => {
  it("are listed in a plan as JSON has them, and released as engines return them", async () => {
    const plan = await planned("SELECT n, b, d, COUNT(*) FROM guests WHERE x > 3 GROUP BY n, b, d");
    const { parts, program } = plan.keys;
    if (program.kind !== "public") throw new Error("the keys are listed");
    expect(program.declared).toHaveLength(2 * 3 * 2);
    expect(program.declared).toEqual(JSON.parse(JSON.stringify(program.declared)));
    const released = releaseProgram(plan);
    if (released.keys.kind !== "public") throw new Error("the keys are listed");
    const [first] = program.declared;
    const decoded = decodeKey(first!, parts);
    expect(released.keys.groups[0]).toEqual(decoded);
    expect(decoded.map((value) => typeof value)).toEqual(["bigint", typeof decoded[1], "bigint"]);
    for (const key of program.declared) expect(encodeKey(decodeKey(key, parts), parts)).toEqual(key);
  });

  it("are numbers of days where they are dates, shown as dates, and NULL where they are NULL", async () => {
    const { keys } = await planned("SELECT d, n, h, COUNT(*) FROM guests GROUP BY d, n, h");
    const key = [18_262n, 3n, "x"];
    expect(shownKey(key, keys.parts)).toEqual(["2020-01-01", 3n, "x"]);
    expect(encodeKey(key, keys.parts)).toEqual(["2020-01-01", 3, "x"]);
    expect(decodeKey(["2020-01-02", 3, "x"], keys.parts)).toEqual([18_263n, 3n, "x"]);
    for (const through of [shownKey, encodeKey, decodeKey] as const)
      expect(through([null, null, null], keys.parts)).toEqual([null, null, null]);
    expect(keys.parts.map(({ expression }) => isIntegerKey(expression))).toEqual([true, true, false]);
  });

  it("that are data name the rule by which they are chosen", async () => {
    const plan = await planned("SELECT h, COUNT(*) FROM guests GROUP BY h");
    expect(plan.keys.program.kind).toBe("private");
    const released = releaseProgram(plan);
    expect(released.keys).toEqual(plan.keys.program);
    expect(released.trees).toEqual([]);
    expect(released.measurements).toEqual([
      { terms: [{ column: 1, coefficient: "1" }], noise: plan.measurements[0]!.noise },
    ]);
    expect(released).not.toHaveProperty("totals");
  });

  it("of totals are listed where they are public", async () => {
    const plan = await planned("SELECT h, n, COUNT(*) FROM guests GROUP BY CUBE (h, n)");
    const { totals } = releaseProgram(plan);
    expect(totals!.map(({ keys, declared }) => [keys, declared])).toEqual([
      [[0], undefined],
      [[1], [[1n], [3n]]],
    ]);
    expect(totals!.map(({ measurements }) => measurements.length)).toEqual([1, 1]);
    const median = await planned("SELECT MEDIAN(x) FROM guests");
    expect(releaseProgram(median).trees).toEqual(
      median.trees!.map(({ branching, height, noise }) => ({ branching, height, noise })),
    );
  });
});
