import { describe, expect, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { TablePolicy } from "../policy.ts";
import { readPolicy } from "./read-policy.ts";

const columns = "columns: { id: { type: text }, n: { type: integer }, x: { type: number, bounds: [0, 9] } }";

/** A table of these words beside one that has a unit, so that a public one stands not alone. */
const read = (words: string): TablePolicy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
tables:
  people: { file: a.csv, unit: row, columns: { age: { type: integer } } }
  t: { file: b.csv, ${words} }`).tables.t!;

const refused = async (words: string): Promise<readonly [message: string, fix: string]> => {
  const { code, message, fix } = await refusalOf((async () => read(words))());
  expect(code).toBe("policy.invalid");
  return [message, fix];
};

describe("the words of a table about whose its rows are", () => {
  test.each([
    ["max_groups_contributed: 1", "unit: row", { maxGroups: 1 }],
    ["max_rows_contributed_per_group: 1", "unit: row", { maxRowsPerGroup: 1 }],
    ["max_groups_contributed: 2", "unit: id", { maxGroups: 2 }],
    ["max_rows_contributed_per_group: 2", "unit: id", { maxRowsPerGroup: 2 }],
  ])("%s is accepted of %s", (bound, unit, contribution) => {
    expect(read(`${unit}, ${bound}, ${columns}`).contribution).toMatchObject(contribution);
  });

  test.each(["max_groups_contributed", "max_rows_contributed_per_group"])(
    "%s of 2 is refused where each row is a unit",
    async (bound) => {
      const [message, fix] = await refused(`unit: row, ${bound}: 2, ${columns}`);
      expect(message).toContain(`tables.t.${bound}: must be 1 where each row is a unit`);
      expect(fix).toBe("remove it, or name the unit's column: unit: column_name");
    },
  );

  test.each(["max_groups_contributed: 1", "max_rows_contributed_per_group: 1", "limit: groups-after-filter"])(
    "%s is refused of public rows",
    async (bound) => {
      const [message] = await refused(`public: true, ${bound}, ${columns}`);
      expect(message).toContain(`tables.t.${bound.split(":")[0]}: limits a unit, and public rows have none`);
    },
  );

  test("a unit beside public: true is refused at the unit", async () => {
    const [message, fix] = await refused(`public: true, unit: id, ${columns}`);
    expect(message).toContain("tables.t.unit: stands beside public: true");
    expect(fix).toBe("remove one of the two: public rows are nobody's");
  });

  test("public: false is as good as not said", async () => {
    expect(read(`public: false, unit: id, ${columns}`).unit).toEqual({ kind: "column", column: "id" });
    const [message] = await refused(`public: false, ${columns}`);
    expect(message).toContain("tables.t.unit: is missing: whose are these rows?");
  });

  test.each([
    ["unit: id", "id: { type: text, max_length: 9 }"],
    ["unit: { column: id }", "id: { type: integer, bounds: [0, 9] }"],
    ["unit: { column: id }", "id: { type: integer, categories: [1, 2] }"],
    ["unit: id", 'id: { type: text, default: "0" }'],
  ])("%s names a column that states a type alone, and not %s", async (unit, column) => {
    const [message, fix] = await refused(`${unit}, columns: { ${column} }`);
    expect(message).toContain("tables.t.columns.id: names the privacy unit and so states a type alone");
    expect(fix).toBe("remove its bounds, categories, default and max_length");
  });

  test("a unit's column that is not declared is refused with its declaration", async () => {
    const [message, fix] = await refused(`unit: { column: "a b" }, ${columns}`);
    expect(message).toContain('tables.t.unit: names the column "a b", which columns does not declare');
    expect(fix).toBe('declare it below columns, as "a b": { type: text }, or write unit: row');
  });
});

describe("the key of a table", () => {
  test("is a text or an integer, of a public table with whatever it states", () => {
    expect(read(`unit: id, key: n, ${columns}`).key).toBe("n");
    expect(read(`unit: n, key: id, ${columns}`).key).toBe("id");
    const public_ = "public: true, key: n, columns: { n: { type: integer, bounds: [0, 9], default: 0 } }";
    expect(read(public_).key).toBe("n");
  });

  test.each(["number", "boolean", "date", "timestamp"])("is no %s", async (type) => {
    const [message, fix] = await refused(
      `unit: id, key: k, columns: { id: { type: text }, k: { type: ${type} } }`,
    );
    expect(message).toContain("tables.t.key: is neither a text nor an integer");
    expect(fix).toBe("declare the column as type: text or integer");
  });

  test("of rows of units states a type alone", async () => {
    const words = "unit: id, key: n, columns: { id: { type: text }, n: { type: integer, bounds: [0, 9] } }";
    const [message, fix] = await refused(words);
    expect(message).toContain("tables.t.columns.n: is a key and so states a type alone");
    expect(fix).toBe("remove its bounds, categories, default and max_length");
  });

  test("leads to no rows that are units of their own", async () => {
    const [message, fix] = await refused(`unit: row, key: n, ${columns}`);
    expect(message).toContain("tables.t.key: leads to rows that are units of their own");
    expect(fix).toContain("write unit: n: then rows that share it are one unit");
  });

  test("is a column that the table declares", async () => {
    const [message, fix] = await refused(`public: true, key: m, ${columns}`);
    expect(message).toContain('tables.t.key: names the column "m", which columns does not declare');
    expect(fix).toBe('declare it below columns, as "m": { type: text }');
  });
});

describe("the limits that joins rely on", () => {
  test("are as many rows as one row may meet, at most", async () => {
    expect(read(`public: true, rows_per_key: { id: 1000, n: 1 }, ${columns}`).joins).toEqual({
      rowsPerKey: { id: 1000, n: 1 },
    });
    expect(read(`public: true, max_rows: 1000, ${columns}`).joins).toEqual({ maxRows: 1000 });
    expect(read(`unit: id, max_rows_before_join: 1000, ${columns}`).joins).toEqual({
      maxRowsBeforeJoin: 1000,
    });
    expect(read(`unit: id, ${columns}`).joins).toBeUndefined();
    const said = await Promise.all([
      refused(`public: true, rows_per_key: { id: 1001 }, ${columns}`),
      refused(`public: true, max_rows: 1001, ${columns}`),
      refused(`unit: id, max_rows_before_join: 1001, ${columns}`),
    ]);
    expect(said.map(([message]) => /tables\.t\.(\S+):/.exec(message)![1])).toEqual([
      "rows_per_key.id",
      "max_rows",
      "max_rows_before_join",
    ]);
    for (const [message, fix] of said) {
      expect(message).toContain("is above 1000, the most rows that one row may meet");
      expect(fix).toContain("write at most 1000");
    }
  });

  test.each(["unit: id", "unit: row"])("of public rows are refused beside %s", async (unit) => {
    for (const words of ["rows_per_key: { id: 3 }", "max_rows: 3"]) {
      const [message, fix] = await refused(`${unit}, ${words}, ${columns}`);
      expect(message).toContain(`tables.t.${words.split(":")[0]}: is for public tables only`);
      expect(fix).toBe("write max_rows_before_join for rows of units, or remove it");
    }
  });

  test("of a unit's rows are refused where no column names a unit, each with what fits", async () => {
    const [ofPublic, ofRows] = await Promise.all(
      ["public: true", "unit: row"].map((whose) => refused(`${whose}, max_rows_before_join: 3, ${columns}`)),
    );
    for (const [message] of [ofPublic!, ofRows!])
      expect(message).toContain(
        "tables.t.max_rows_before_join: limits the rows of a unit that a column names",
      );
    expect(ofPublic![1]).toBe("write rows_per_key or max_rows, or remove it");
    expect(ofRows![1]).toBe("remove it: a unit has one row");
  });

  test("by a key count values one by one, which those of type number are not", async () => {
    const types = ["integer", "text", "boolean", "date", "timestamp"];
    for (const type of types)
      expect(read(`public: true, rows_per_key: { k: 3 }, columns: { k: { type: ${type} } }`).joins).toEqual({
        rowsPerKey: { k: 3 },
      });
    const [message, fix] = await refused(`public: true, rows_per_key: { x: 3 }, ${columns}`);
    expect(message).toContain(
      "tables.t.rows_per_key.x: is of type number, whose values are not counted one by one",
    );
    expect(fix).toBe("declare the column as type: integer or text");
    const [unknown, declare] = await refused(`public: true, rows_per_key: { "a b": 3 }, ${columns}`);
    expect(unknown).toContain("names a column that columns does not declare");
    expect(declare).toBe('declare it below columns, as "a b": { type: text }');
  });
});
