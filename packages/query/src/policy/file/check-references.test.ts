import { describe, expect, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { Policy } from "../policy.ts";
import { readPolicy } from "./read-policy.ts";

const read = (tables: readonly string[]): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
tables:
${tables.map((table) => `  ${table}`).join("\n")}`);
const refused = async (...tables: readonly string[]): Promise<readonly unknown[]> => {
  const { code, message, fix, fields } = await refusalOf((async () => read(tables))());
  expect(code).toBe("policy.invalid");
  expect(message).toMatch(/^line \d+, /);
  return [message.replaceAll(/line \d+, /g, ""), fix, fields.path];
};

const columns = "columns: { id: { type: text }, to: { type: text }, n: { type: integer } }";
const people = `people: { file: a.csv, unit: id, key: n, ${columns} }`;
const through = (name: string, to: string, more = ""): string =>
  `${name}: { file: ${name}.csv, unit: { through: to, references: ${to} }, ${more}${columns} }`;

describe("a foreign key to a unit", () => {
  test("goes to the unit's column, to a key, or to what leads on, in the two names or in one", () => {
    expect(read([people, through("v", "people.id")]).tables.v!.unit).toEqual({
      kind: "through",
      column: "to",
      references: { table: "people", column: "id" },
    });
    expect(read([people, through("v", "{ table: people, column: id }")]).tables.v!.unit).toMatchObject({
      references: { table: "people", column: "id" },
    });
    expect(read([people, through("v", "people.id"), through("w", "v.to")]).tables.w!.unit).toMatchObject({
      references: { table: "v", column: "to" },
    });
    // Names may hold dots: each place is tried.
    const dotted = `"a.b": { file: c.csv, unit: "c.d", columns: { "c.d": { type: text } } }`;
    expect(read([dotted, through("v", "a.b.c.d")]).tables.v!.unit).toMatchObject({
      references: { table: "a.b", column: "c.d" },
    });
  });

  test("goes to nothing that is not there, with the keys that are", async () => {
    for (const [to, said] of [
      ["peple.id", "peple.id"],
      ["people", "people"],
      ["people.nothing", "people.nothing"],
      ["{ table: people, column: nothing }", "people.nothing"],
      ["constructor.name", "constructor.name"],
    ] as const)
      expect(await refused(people, through("v", to))).toEqual([
        `tables.v.unit: references ${said}, which is not a column of a table here`,
        expect.stringContaining("write one of: people.n, people.id, v.to"),
        "tables.v.unit",
      ]);
    expect((await refused(people, through("v", "people.i")))[1]).toContain('did you mean "people.n"?');
  });

  test("goes to no public rows, and to none that are units themselves", async () => {
    const codes = `codes: { file: c.csv, public: true, key: id, ${columns} }`;
    expect(await refused(people, codes, through("v", "codes.id"))).toEqual([
      "tables.v.unit: references codes, whose rows are public",
      "reference the table that names the unit",
      "tables.v.unit",
    ]);
    const guests = `guests: { file: c.csv, unit: row, ${columns} }`;
    expect(await refused(guests, through("v", "guests.id"))).toEqual([
      "tables.v.unit: references guests, where each row is a unit and nothing names it",
      "write unit: id below guests: then rows that share it are one unit",
      "tables.v.unit",
    ]);
  });

  test("goes to a column that is declared as a key, of the same type", async () => {
    expect(await refused(people, through("v", "people.to"))).toEqual([
      "tables.v.unit: references people.to, which is not declared as a key",
      "write key: to below people",
      "tables.v.unit",
    ]);
    expect(await refused(people, through("v", "people.n"))).toEqual([
      "tables.v.unit: goes through to, a column of type text, to a key of type integer",
      "declare both as integer",
      "tables.v.unit",
    ]);
  });

  test("leads back to no table of its own, however long the circle", async () => {
    const back = [
      "leads back to this table",
      "let one table of the circle name its unit by a column of its own",
    ];
    const own = through("v", "v.id", "key: id, ");
    expect((await refused(people, own)).slice(0, 2)).toEqual([`tables.v.unit: ${back[0]}`, back[1]]);
    const circle = [
      through("a", "b.id", "key: id, "),
      through("b", "c.id", "key: id, "),
      through("c", "a.id", "key: id, "),
    ];
    const [said, fix] = await refused(people, ...circle);
    const all = ["a", "b", "c"].map((name) => `tables.${name}.unit: ${back[0]}`).join("; ");
    expect(said).toBe(all);
    expect(fix).toBe(back[1]);
    // A table that leads into a circle is in none.
    expect((await refused(people, ...circle, through("d", "a.id")))[0]).toBe(all);
  });

  test("is needed by somebody: a policy of public tables alone protects nobody", async () => {
    const free = (name: string): string =>
      `${name}: { file: ${name}.csv, public: true, key: id, ${columns} }`;
    expect(await refused(free("a"), free("b"))).toEqual([
      "tables: are all public, so there is nobody to protect",
      "give one of them a unit instead of public: true",
      "tables",
    ]);
    expect(Object.keys(read([free("b"), people]).tables)).toEqual(["b", "people"]);
  });
});

describe("a refusal", () => {
  const text = (more: string): string => `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
tables:
  people:
    file: a.csv
    unit: row
    columns:
      age: { type: integer }
${more}`;
  const said = async (whole: string): Promise<readonly unknown[]> => {
    const { message, fix, fields } = await refusalOf((async () => readPolicy(whole))());
    return [message, fix, fields];
  };

  test("names its place: items by number, strange names in quotes, unknown keys by themselves", async () => {
    expect(await said(text("      wage: { type: number, bounds: [0, x] }"))).toEqual([
      "line 10, tables.people.columns.wage.bounds[1]: must be a finite number",
      "write it as 12, -3.5 or 1e6",
      { path: "tables.people.columns.wage.bounds[1]", line: 10, column: 41 },
    ]);
    expect((await said(text('      "a.b": { type: x }')))[2]).toMatchObject({
      path: 'tables.people.columns["a.b"].type',
    });
    expect((await said(text("      a-b: { type: x }")))[2]).toMatchObject({
      path: "tables.people.columns.a-b.type",
    });
    expect(await said(text("      wage: { type: number, boundz: [0, 1] }"))).toEqual([
      'line 10, tables.people.columns.wage: unknown key "boundz"',
      'did you mean "bounds"? write one of: type, bounds, default',
      { path: "tables.people.columns.wage.boundz", line: 10, column: 29 },
    ]);
    expect(await said("5")).toEqual([
      "line 1, the policy: must be a map of keys",
      "write version, privacy_unit, database, tables, views, budget, defaults, answers_valid, least_epsilon, release_schedule",
      { path: "", line: 1, column: 1 },
    ]);
  });

  test("names all that is wrong, with its lines, up to five, and counts the rest", async () => {
    const wrong = (count: number): string =>
      text(Array.from({ length: count }, (_, at) => `      c${at}: { type: x }`).join("\n"));
    for (const [count, rest] of [
      [1, ""],
      [2, ""],
      [5, ""],
      [6, "; 1 more"],
      [8, "; 3 more"],
    ] as const) {
      const [message] = await said(wrong(count));
      const places = [...(message as string).matchAll(/line (\d+), tables\.people\.columns\.c(\d)\.type: /g)];
      expect(places.map(([, line, at]) => [Number(line), Number(at)])).toEqual(
        Array.from({ length: Math.min(count, 5) }, (_, at) => [10 + at, at]),
      );
      expect((message as string).endsWith(rest) && (rest !== "" || !/more$/.test(message as string))).toBe(
        true,
      );
    }
  });
});
