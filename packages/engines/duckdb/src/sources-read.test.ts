import { linkSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import type { LetheError } from "@lethe/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { checkRoles } from "./check-roles.ts";
import { openDuckDb } from "./open-duckdb.ts";
import { importTable } from "./snapshot/import-table.ts";
import { type Fixture, fixture, policyOf } from "./testing/engine-fixture.ts";

let house: Fixture;
afterEach(() => house.remove());

const columns = "columns: { id: { type: text }, x: { type: number, bounds: [0, 9] } }";
const owned = (source: string): string => `owned: { ${source}, unit: id, ${columns} }`;
const free = (source: string): string => `free: { ${source}, public: true, key: id, ${columns} }`;
const rows = (source: string): string => `rows: { ${source}, unit: row, ${columns} }`;
const alike = (source: string): string => `alike: { ${source}, unit: id, ${columns} }`;

const csv = "id,x\np,1\nq,2\n";
const table = "SELECT 'p' AS id, 1.5::DOUBLE AS x";

/** The codes with which tables of the policy cannot be asked; null for those that can. */
async function asked(): Promise<Readonly<Record<string, string | null>>> {
  const engine = await openDuckDb(house);
  try {
    const told: Record<string, string | null> = {};
    for (const name of Object.keys(house.policy.tables))
      told[name] = await engine.storage(name).then(
        () => null,
        (error: LetheError) => error.code,
      );
    return told;
  } finally {
    await engine.close();
  }
}

const checked = (): Promise<string | null> =>
  checkRoles(house.policy, house.baseDirectory, house.log).then(
    () => null,
    (error: LetheError) => `${error.code}: ${error.message}`,
  );

describe("one file under two names", () => {
  const links: readonly (readonly [string, () => void])[] = [
    ["a symbolic link", () => symlinkSync(house.path("p.csv"), house.path("q.csv"))],
    [
      "a link to a link",
      () => {
        symlinkSync("p.csv", house.path("between.csv"));
        symlinkSync("between.csv", house.path("q.csv"));
      },
    ],
    ["a hard link", () => linkSync(house.path("p.csv"), house.path("q.csv"))],
  ];

  test.each(links)("in two roles is refused by every door: %s", async (_, link) => {
    house = fixture(`${owned("file: p.csv")}\n${free("file: q.csv")}`);
    house.write("p.csv", csv);
    link();
    expect(await checked()).toMatch(/^policy\.roles: owned and free read one source in two roles/);
    await expect(importTable({ ...house, table: "owned" })).rejects.toMatchObject({ code: "policy.roles" });
    expect(await asked()).toEqual({ owned: "policy.roles", free: "policy.roles" });
  });

  test("through a folder's link, or up and down again", async () => {
    house = fixture(`${owned("file: d/p.csv")}\n${rows("file: e/p.csv")}`);
    mkdirSync(house.path("d"));
    symlinkSync("d", house.path("e"));
    house.write("d/p.csv", csv);
    expect(await checked()).toContain("owned and rows");
    house.remove();
    house = fixture(`${owned("file: p.csv")}\n${rows("file: d/../p.csv")}`);
    mkdirSync(house.path("d"));
    house.write("p.csv", csv);
    expect(await checked()).toContain("owned and rows");
  });

  test("in one role is two tables, and equal rows in two files are two files", async () => {
    house = fixture(`${owned("file: p.csv")}\n${alike("file: q.csv")}\n${free("file: r.csv")}`);
    house.write("p.csv", csv);
    house.write("r.csv", csv);
    linkSync(house.path("p.csv"), house.path("q.csv"));
    expect(await checked()).toBeNull();
    for (const name of ["owned", "alike", "free"]) await importTable({ ...house, table: name });
    expect(await asked()).toEqual({ owned: null, alike: null, free: null });
  });

  test("that is not there is no reason to refuse", async () => {
    house = fixture(`${owned("file: p.csv")}\n${free("file: q.csv")}`);
    expect(await checked()).toBeNull();
  });

  test("is looked for without a folder that stays behind, whether it is refused or not", async () => {
    house = fixture(`${owned("file: p.duckdb")}\n${free("file: q.duckdb")}\n${rows("file: p.csv")}`);
    house.write("p.csv", csv);
    vi.stubEnv("TMPDIR", house.path("."));
    try {
      await house.prepare("ATTACH '$DIR/p.duckdb' AS p", `CREATE TABLE p.owned AS ${table}`, "DETACH p");
      expect(await checked()).toBeNull();
      linkSync(house.path("p.csv"), house.path("r.csv"));
      house = house.with(policyOf(`${owned("file: p.csv")}\n${free("file: r.csv")}`));
      expect(await checked()).toContain("owned and free");
      expect(readdirSync(house.path(".")).sort()).toEqual(["p.csv", "p.duckdb", "r.csv"]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("one relation of a .duckdb file", () => {
  const inside = async (...statements: readonly string[]): Promise<void> =>
    house.prepare(
      "ATTACH '$DIR/p.duckdb' AS p",
      `CREATE TABLE p.base AS ${table}`,
      ...statements,
      "DETACH p",
    );

  test.each([
    ["a view", ["CREATE VIEW p.seen AS SELECT * FROM p.base WHERE x > 1"]],
    [
      "a view of a view",
      ["CREATE VIEW p.between AS SELECT * FROM p.main.BASE", "CREATE VIEW p.seen AS FROM p.between"],
    ],
    [
      "a view that only asks whether there are rows",
      ["CREATE VIEW p.seen AS SELECT 'a' AS id, 1 AS x WHERE EXISTS (FROM p.base)"],
    ],
    ["a view that gives no row", ["CREATE VIEW p.seen AS SELECT * FROM p.base WHERE false"]],
    [
      "a macro in a view",
      [
        "CREATE MACRO p.most() AS (SELECT max(x) FROM p.main.base)",
        "CREATE VIEW p.seen AS SELECT 'a' AS id, p.most() AS x",
      ],
    ],
  ])("may not be read in two roles: through %s", async (_, statements) => {
    house = fixture(
      `${owned("file: p.duckdb, relation: base")}\n${free("file: p.duckdb, relation: seen")}\n${rows("file: p.duckdb, relation: other")}`,
    );
    await inside(...statements, `CREATE TABLE p.other AS ${table}`);
    expect(await checked()).toMatch(/^policy\.roles: owned and free read one source/);
    expect(await asked()).toEqual({ owned: "policy.roles", free: "policy.roles", rows: null });
    await expect(importTable({ ...house, table: "free" })).rejects.toMatchObject({ code: "policy.roles" });
    await importTable({ ...house, table: "rows" });
  });

  test("through a view that reads a file, what it reads cannot be told", async () => {
    house = fixture(`${owned("file: p.parquet")}\n${free("file: p.duckdb, relation: seen")}`);
    await house.prepare(`COPY (${table}) TO '$DIR/p.parquet'`);
    await inside("CREATE VIEW p.seen AS SELECT * FROM '$DIR/p.parquet'");
    expect(await checked()).toMatch(/^policy\.roles: what free reads cannot be told/);
  });

  test("through another file's view, or a hard link to the file", async () => {
    house = fixture(`${owned("file: p.duckdb, relation: base")}\n${free("file: q.duckdb, relation: base")}`);
    await inside();
    linkSync(house.path("p.duckdb"), house.path("q.duckdb"));
    expect(await checked()).toContain("owned and free read one source");
  });

  test("may not be read in two roles through a name that is not there: what is there decides", async () => {
    house = fixture(
      `${owned("file: p.duckdb, relation: base")}\n${free("file: p.duckdb, relation: none")}\n${rows("file: gone.duckdb, relation: base")}`,
    );
    await inside();
    expect(await checked()).toBeNull();
    expect(await asked()).toMatchObject({ owned: null, free: "engine.schema", rows: "engine.source" });
  });

  test("of a file that is no database is not read: what cannot be opened reads nothing", async () => {
    house = fixture(`${owned("file: p.duckdb, relation: base")}\n${free("file: p.duckdb, relation: other")}`);
    house.write("p.duckdb", csv);
    expect(await checked()).toBeNull();
    expect(await asked()).toEqual({ owned: "engine.source", free: "engine.source" });
  });

  test("and a file of another kind are told apart, each in its own role", async () => {
    house = fixture(`${owned("file: p.duckdb, relation: base")}\n${free("file: r.parquet")}`);
    await house.prepare(`COPY (${table}) TO '$DIR/r.parquet'`);
    await inside();
    expect(await checked()).toBeNull();
    expect(await asked()).toEqual({ owned: null, free: null });
  });

  test("is found among files of any kind, two of which are one", async () => {
    house = fixture(
      `${owned("file: r.parquet")}\n${free("file: s.parquet")}\n${rows("file: p.duckdb, relation: base")}`,
    );
    await house.prepare(`COPY (${table}) TO '$DIR/r.parquet'`);
    symlinkSync("r.parquet", house.path("s.parquet"));
    await inside();
    expect(await asked()).toEqual({ owned: "policy.roles", free: "policy.roles", rows: null });
  });

  test("read in one role is fine, and so are other relations of the file", async () => {
    house = fixture(
      `${owned("file: p.duckdb, relation: base")}\n${alike("file: p.duckdb, relation: seen, trusted: true")}\n${free("file: p.duckdb, relation: codes")}`,
    );
    await inside("CREATE VIEW p.seen AS SELECT * FROM p.base, range(2)", `CREATE TABLE p.codes AS ${table}`);
    expect(await checked()).toBeNull();
    expect(await asked()).toEqual({ owned: null, alike: null, free: null });
  });
});
