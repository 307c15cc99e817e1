import { describe, expect, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { Policy } from "../policy.ts";
import { policyHash } from "../policy-hash.ts";
import { unitHash } from "../unit-hash.ts";
import { keyNamed, sharesUnits, unitPath } from "../unit-path.ts";
import { doubleRoles, hasSeveralRoles, refuseDoubleRoles } from "./double-roles.ts";
import { readPolicy } from "./read-policy.ts";
import { writtenSources } from "./written-sources.ts";

const columns = "columns: { id: { type: text }, other: { type: text } }";
const read = (tables: string, more = ""): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
${more}
tables:
${tables}`);
const table = (name: string, words: string): string => `  ${name}: { ${words}, ${columns} }\n`;

describe("the source of a table", () => {
  const sources = (policy: Policy): object => Object.fromEntries(writtenSources(policy));

  test("is its file, however the path is written", () => {
    expect(
      sources(
        read(
          table("a", "file: ./d//x.csv, unit: row") +
            table("b", "file: d/././x.parquet, unit: row") +
            table("c", "file: ../d/x.csv, unit: row") +
            table("d", "file: d.d/./x.csv, unit: row") +
            table("e", "file: /./x.csv, unit: row"),
        ),
      ),
    ).toEqual({ a: ["d/x.csv"], b: ["d/x.parquet"], c: ["../d/x.csv"], d: ["d.d/x.csv"], e: ["/x.csv"] });
  });

  test("in a .duckdb file is a relation whatever its case, in schema main where none is named", () => {
    expect(
      sources(
        read(
          table("People", "file: x.DuckDB, unit: row") +
            table("b", "file: x.duckdb, relation: Visits, unit: row") +
            table("c", "file: x.duckdb, relation: S.Visits, unit: row"),
        ),
      ),
    ).toEqual({
      People: ["x.DuckDB main.people"],
      b: ["x.duckdb main.visits"],
      c: ["x.duckdb s.visits"],
    });
  });

  test("on a server is a relation as it is written, in schema public where none is named", () => {
    const policy = read(
      table("People", "unit: row") +
        table("b", "relation: Visits, unit: row") +
        table("c", "relation: s.Visits, unit: row"),
      "database: { kind: postgres }",
    );
    expect(sources(policy)).toEqual({ People: ["public.People"], b: ["public.Visits"], c: ["s.Visits"] });
  });
});

describe("two roles of one source", () => {
  const three = read(
    table("a", "file: 1.csv, unit: id") +
      table("b", "file: 2.csv, public: true, key: id") +
      table("c", "file: 3.csv, unit: row"),
  );

  test("are refused with both roles, and what to do", async () => {
    const both = { fix: "declare whose rows they are in one way in both, or take a or b out of the policy" };
    const [found, ...more] = doubleRoles(
      three,
      new Map([
        ["a", ["x"]],
        ["b", ["x", "y"]],
        ["c", ["z"]],
      ]),
    );
    expect(more).toEqual([]);
    expect(found!.tables).toEqual(["a", "b"]);
    expect(found!.error).toMatchObject({
      code: "policy.roles",
      message:
        "a and b read one source in two roles: a as rows of the units that id leads to, b as public rows",
      fields: { table: "a", other: "b" },
      ...both,
    });
    const error = await refusalOf(
      (async () =>
        refuseDoubleRoles(
          three,
          new Map([
            ["b", ["y"]],
            ["c", ["y"]],
          ]),
        ))(),
    );
    expect(error.message).toBe(
      "b and c read one source in two roles: b as public rows, c as rows that are units",
    );
    expect(() =>
      refuseDoubleRoles(
        three,
        new Map([
          ["b", ["y"]],
          ["c", ["z"]],
        ]),
      ),
    ).not.toThrow();
  });

  test("may be where a source cannot be told, whichever of the two it is", () => {
    for (const [reads, unknown] of [
      [
        [
          ["a", null],
          ["b", ["x"]],
        ],
        "a",
      ],
      [
        [
          ["a", ["x"]],
          ["b", null],
        ],
        "b",
      ],
    ] as const) {
      const [found] = doubleRoles(three, new Map<string, readonly string[] | null>(reads));
      expect(found!.error).toMatchObject({
        code: "policy.roles",
        message: expect.stringContaining(
          `what ${unknown} reads cannot be told, so a and b may read one source in two roles: a as rows of`,
        ),
        fix: `make a table of what ${unknown} reads, and name that one, or keep ${unknown} in a policy of its own`,
        fields: { table: "a", other: "b" },
      });
    }
  });

  test("are looked for among the tables that were read, and only where there are several", () => {
    expect(doubleRoles(three, new Map([["a", ["x"]]]))).toEqual([]);
    expect(hasSeveralRoles(three)).toBe(true);
    expect(
      hasSeveralRoles(read(table("a", "file: 1.csv, unit: row") + table("b", "file: 2.csv, unit: row"))),
    ).toBe(false);
    expect(
      hasSeveralRoles(read(table("a", "file: 1.csv, unit: id") + table("b", "file: 2.csv, unit: other"))),
    ).toBe(true);
    // How a CSV is written decides which rows it has.
    expect(
      hasSeveralRoles(
        read(
          table("a", "file: 1.csv, unit: row") +
            table("b", 'file: 2.csv, unit: row, csv: { delimiter: ";" }'),
        ),
      ),
    ).toBe(true);
  });
});

describe("a table's unit", () => {
  const policy = read(
    table("people", "file: 1.csv, unit: id, key: other") +
      table("visits", "file: 2.csv, unit: { through: id, references: people.other }, key: other") +
      table("items", "file: 3.csv, unit: { through: other, references: visits.id }") +
      table("guests", "file: 4.csv, unit: row") +
      table("codes", "file: 5.csv, public: true, key: id"),
  );

  test("is found by looking keys up until a column names it", () => {
    const people = { table: "people", column: "id" };
    expect(unitPath(policy, "people")).toEqual({ kind: "column", column: "id", path: [], names: people });
    const step = { table: "people", key: "other", column: "id" };
    expect(unitPath(policy, "visits")).toEqual({ kind: "column", column: "id", path: [step], names: people });
    // visits.id is what leads on from a visit, so nothing is looked up there.
    expect(unitPath(policy, "items")).toEqual({
      kind: "column",
      column: "other",
      path: [step],
      names: people,
    });
    expect(unitPath(policy, "guests")).toEqual({ kind: "row" });
    expect(unitPath(policy, "codes")).toEqual({ kind: "public" });
  });

  test("and its rows are named by keys, and by no other column", () => {
    const named = (of: string, column: string) => keyNamed(policy, of, column);
    expect(named("people", "id")).toEqual({ table: "people", column: "id" });
    expect(named("people", "other")).toEqual({ table: "people", column: "other" });
    expect(named("visits", "id")).toEqual({ table: "people", column: "other" });
    expect(named("visits", "other")).toEqual({ table: "visits", column: "other" });
    expect(named("items", "other")).toEqual({ table: "people", column: "other" });
    for (const [of, column] of [
      ["items", "id"],
      ["guests", "id"],
      ["codes", "id"],
      ["codes", "other"],
    ] as const)
      expect(named(of, column), `${of}.${column}`).toBeNull();
  });

  test("may have no rows in a table where several hold units, or a database computes the only one", () => {
    const one = table("a", "file: 1.duckdb, unit: row");
    const free = table("b", "file: 2.csv, public: true, key: id");
    expect(sharesUnits(read(one))).toBe(false);
    expect(sharesUnits(read(one + free))).toBe(false);
    expect(sharesUnits(read(one + table("b", "file: 2.csv, unit: row")))).toBe(true);
    expect(sharesUnits(read(table("a", "file: 1.duckdb, trusted: true, unit: row")))).toBe(true);
    expect(sharesUnits(read(one + table("b", "file: 2.duckdb, trusted: true, public: true, key: id")))).toBe(
      false,
    );
  });
});

describe("the hashes of a policy", () => {
  const base = table("a", "file: 1.duckdb, unit: id") + table("b", "file: 2.csv, public: true, key: id");
  const views = "views: { v: SELECT 1, w: SELECT 2 }";

  test("change with its views, their texts and their order", () => {
    const hashes = [
      "",
      views,
      "views: { w: SELECT 2, v: SELECT 1 }",
      "views: { v: SELECT 1, w: SELECT 3 }",
    ].map((more) => policyHash(read(base, more)));
    expect(new Set(hashes).size).toBe(4);
    expect(policyHash(read(base, "views: {}"))).toBe(hashes[0]);
  });

  test("change with the kind of a server, and not with the name of its variable", () => {
    const onServer = base.replaceAll(/file: \d\.\w+, /g, "");
    const [plain, named] = ["kind: postgres", "kind: postgres, url_env: X"].map((words) =>
      policyHash(read(onServer, `database: { ${words} }`)),
    );
    expect(named).toBe(plain);
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
  });

  test("that say what is charged for follow units alone", () => {
    const other = (from: string, to: string): boolean => {
      expect(base).toContain(from);
      return unitHash(read(base.replace(from, to))) !== unitHash(read(base));
    };
    expect(other("unit: id", "unit: other")).toBe(true);
    expect(other("unit: id", "unit: row")).toBe(true);
    expect(other("file: 1.duckdb", "file: 3.duckdb")).toBe(false);
    expect(other("unit: id", "unit: id, max_groups_contributed: 9")).toBe(false);
    expect(unitHash(read(base, views))).toBe(unitHash(read(base)));
  });
});
