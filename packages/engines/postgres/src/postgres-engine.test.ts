import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { LetheError } from "@lethe/core";
import { type Engine, type Policy, postgres, readPolicy } from "@lethe/query";
import { type EngineSubject, engineContract, hasPostgres, peopleRows, serverWith } from "@lethe/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../core/src/exact/exact.ts";
import { openPostgres, type PostgresOptions } from "./open-postgres.ts";
import type { PostgresEngine } from "./postgres-engine.ts";

const columns = "columns: { wage: { type: number }, sector: { type: text } }";

function policyOf(...tables: readonly string[]): Policy {
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: postgres }
tables:
${tables.map((line) => `  ${line}`).join("\n")}
`);
}

const plain = (name: string, relation?: string): string =>
  `${name}: { ${relation === undefined ? "" : `relation: ${relation}, `}unit: row, ${columns} }`;

describe.skipIf(!hasPostgres())("PostgreSQL", () => {
  const own = serverWith(`CREATE ROLE reader LOGIN;
    CREATE TABLE people (wage float8, sector text); CREATE TABLE drifted (sector text);
    GRANT SELECT ON people, drifted TO reader`);
  beforeAll(async () => {
    for (const row of peopleRows) await own.admin.query("INSERT INTO people VALUES ($1, $2)", [...row]);
  });

  function subject(
    policy: Policy,
    options: Partial<PostgresOptions> = {},
  ): { engine: Engine; logged: string[] } {
    const logged: string[] = [];
    const url = own.server.urlOf("reader");
    const log = (detail: string): number => logged.push(detail);
    return { engine: openPostgres({ policy, url, seed: "a secret seed", log, ...options }), logged };
  }

  const quoted = (relation: readonly string[]): string => relation.map(postgres.identifier).join(".");

  engineContract(
    "PostgreSQL",
    { wideInteger: "numeric", double: "double precision", endless: "pg_sleep(600)" },
    async (): Promise<EngineSubject> => ({
      ...subject(policyOf(plain("people"), plain("drifted"), plain("gone"))),
      quote: ({ relation }) => quoted(relation),
      dispose: async () => undefined,
    }),
  );

  /** Asks the engine as a plan would; the SQL is not a plan's. */
  function run(engine: Engine, sql: string, keys: number, sums: number): ReturnType<Engine["run"]> {
    return engine.run({ dialect: "postgres", sql, keys, sums, needsSeed: false } as never);
  }

  async function withEngine(
    policy: Policy,
    use: (engine: Engine, logged: string[]) => Promise<void>,
    options: Partial<PostgresOptions> = {},
  ): Promise<void> {
    const { engine, logged } = subject(policy, options);
    try {
      await use(engine, logged);
    } finally {
      await engine.close();
    }
  }

  it("names the native types of what the policy reads, domains and enumerations resolved", async () => {
    await own.admin.query('CREATE SCHEMA "Odd Schema"');
    await own.admin.query("CREATE TYPE mood AS ENUM ('sad', 'ok')");
    await own.admin.query("CREATE DOMAIN euros AS numeric(10, 2)");
    await own.admin.query("CREATE DOMAIN pay AS euros CHECK (VALUE > 0)");
    await own.admin.query(
      'CREATE TABLE "Odd Schema"."Staff" (wage pay, sector mood, "Ω ""x""" uuid, d numeric(300, 2), e numeric(301, 2), f numeric(9, 301), g numeric(9, -3), h numeric, blob bytea, list integer[], shape point)',
    );
    await own.admin.query('GRANT USAGE ON SCHEMA "Odd Schema" TO reader');
    await own.admin.query('GRANT SELECT ON "Odd Schema"."Staff" TO reader');
    const staff = (extra: string): Policy =>
      policyOf(
        `staff: { relation: Odd Schema.Staff, unit: row, columns: { wage: { type: number }, sector: { type: text }${extra} } }`,
      );
    await withEngine(staff(", 'Ω \"x\"': { type: text }"), async (engine) => {
      expect(await engine.storage("staff")).toEqual({
        relation: ["Odd Schema", "Staff"],
        layout: "raw",
        types: { wage: "numeric", sector: "enum", 'Ω "x"': "uuid" },
      });
    });
    for (const [column, type] of Object.entries({
      d: "decimal",
      e: "numeric",
      f: "numeric",
      g: "numeric",
      h: "numeric",
    }))
      await withEngine(staff(`, ${column}: { type: number }`), async (engine) => {
        expect((await engine.storage("staff")).types).toMatchObject({ [column]: type });
      });
    for (const column of ["blob", "list", "shape", "missing"])
      await withEngine(staff(`, ${column}: { type: text }`), async (engine) => {
        await expect(engine.storage("staff")).rejects.toMatchObject({
          code: "engine.schema",
          fields: { column },
        });
      });
    await withEngine(staff(", d: { type: date }"), async (engine) => {
      await expect(engine.storage("staff")).rejects.toMatchObject({
        code: "engine.schema",
        fields: { column: "d" },
      });
    });
    await withEngine(staff(", 'Ω \"x\"': { type: number }"), async (engine) => {
      await expect(engine.storage("staff")).rejects.toMatchObject({ code: "engine.schema" });
    });
  });

  it("refuses doubles as texts or truths, which each engine would spell in its own way", async () => {
    await own.admin.query("CREATE TABLE doubled (a float8, b float4); GRANT SELECT ON doubled TO reader");
    for (const [column, type] of [
      ["a", "text"],
      ["b", "boolean"],
    ])
      await withEngine(
        policyOf(`doubled: { unit: row, columns: { ${column}: { type: ${type} } } }`),
        async (engine) => {
          await expect(engine.storage("doubled")).rejects.toMatchObject({
            code: "engine.schema",
            fields: { column },
          });
        },
      );
  });

  it("refuses a role that may write, one that may not read, and a server that is not there", async () => {
    await own.admin.query("CREATE ROLE writer LOGIN");
    await own.admin.query("GRANT SELECT, UPDATE (wage) ON people TO writer");
    await own.admin.query("CREATE ROLE stranger LOGIN");
    const asked = async (url: string): Promise<LetheError> => {
      let error: unknown;
      await withEngine(
        policyOf(plain("people")),
        async (engine) => {
          error = await engine.storage("people").catch((thrown: unknown) => thrown);
        },
        { url },
      );
      return error as LetheError;
    };
    expect(await asked(own.server.urlOf("reader"))).toMatchObject({ layout: "raw" });
    for (const role of ["writer", "postgres"]) {
      const error = await asked(own.server.urlOf(role));
      expect(error).toMatchObject({ code: "engine.source" });
      expect(error.message).toContain("may write");
    }
    expect(await asked(own.server.urlOf("stranger"))).toMatchObject({ code: "engine.source" });
    expect(await asked(own.server.urlOf("nobody_of_this_name"))).toMatchObject({ code: "engine.source" });
    expect(await asked("postgres://reader@127.0.0.1:1/postgres")).toMatchObject({ code: "engine.source" });
  });

  it("writes nothing, even where the role could", () =>
    withEngine(
      policyOf(plain("people")),
      async (engine, logged) => {
        const sql = "WITH gone AS (DELETE FROM public.people RETURNING 1) SELECT count(*) FROM gone";
        await expect(run(engine, sql, 0, 0)).rejects.toMatchObject({ code: "engine.failed" });
        expect(logged.join()).toContain("read-only");
        await expect(run(engine, "SELECT 1; SELECT 2", 0, 0)).rejects.toMatchObject({
          code: "engine.failed",
        });
        expect((await own.admin.query("SELECT FROM people")).rowCount).toBe(peopleRows.length);
      },
      { url: own.server.url },
    ));

  it("finds no function or operator but PostgreSQL's own", async () => {
    await own.admin.query(
      "CREATE FUNCTION public.md5(text) RETURNS text LANGUAGE sql AS $$ SELECT 'same' $$",
    );
    await own.admin.query(
      "CREATE FUNCTION public.never(float8, numeric) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$",
    );
    await own.admin.query(
      "CREATE OPERATOR public.> (FUNCTION = never, LEFTARG = float8, RIGHTARG = numeric)",
    );
    await withEngine(policyOf(plain("people")), async (engine) => {
      const sql = "SELECT md5('a'), float8 '1' > numeric '2', 0";
      expect(unseal(await run(engine, sql, 2, 0)).groups[0]!.key).toEqual([
        "0cc175b9c0f1b6a831c399e269772661",
        false,
      ]);
    });
    await own.admin.query("DROP OPERATOR public.> (float8, numeric); DROP FUNCTION public.never, public.md5");
  });

  it("stops at its deadline and at too many groups, and the server stops with it", async () => {
    const running = async (): Promise<number> =>
      (await own.admin.query("SELECT FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'"))
        .rowCount!;
    const silence = async (): Promise<void> => {
      while ((await running()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await withEngine(
      policyOf(plain("people")),
      async (engine, logged) => {
        await expect(run(engine, "SELECT 0 FROM pg_sleep(600)", 0, 0)).rejects.toMatchObject({
          code: "engine.failed",
        });
        expect(logged.at(-1)).toContain("statement timeout");
        const many = "SELECT generate_series(1, 1000000000), 0";
        await expect(run(engine, many, 1, 0)).rejects.toMatchObject({ code: "engine.failed" });
        await silence();
        expect(unseal(await run(engine, "SELECT 7", 0, 0)).groups[0]!.units).toBe(7n);
      },
      { limits: { timeoutMs: 300, maxGroups: 100 } },
    );
    await withEngine(
      policyOf(plain("people")),
      async (engine, logged) => {
        const many = "SELECT generate_series(1, 1000000000), 0";
        await expect(run(engine, `${many} LIMIT 101`, 1, 0)).rejects.toMatchObject({ code: "engine.failed" });
        expect(logged.at(-1)).toBe("more than 100 groups");
        expect(unseal(await run(engine, `${many} LIMIT 100`, 1, 0)).groups.length).toBe(100);
      },
      { limits: { maxGroups: 100 } },
    );
    await silence();
  });

  it("survives the loss of its connections", () =>
    withEngine(policyOf(plain("people")), async (engine) => {
      const asked = run(engine, "SELECT 0 FROM pg_sleep(600)", 0, 0).catch((error: unknown) => error);
      const kill =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader' AND query LIKE '%pg_sleep%'";
      while ((await own.admin.query(kill)).rowCount === 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await asked).toMatchObject({ code: "engine.failed" });
      expect(unseal(await run(engine, "SELECT 7", 0, 0)).groups[0]!.units).toBe(7n);
    }));

  it("survives a network that breaks under a running statement", async () => {
    const sockets = new Set<Socket>();
    const { port } = new URL(own.server.url);
    const between = createServer((near) => {
      const far = connect(Number(port), "127.0.0.1");
      for (const socket of [near, far]) sockets.add(socket.on("error", () => undefined));
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((listening) => between.listen(0, "127.0.0.1", listening));
    const { port: free } = between.address() as AddressInfo;
    try {
      await withEngine(
        policyOf(plain("people")),
        async (engine, logged) => {
          const asked = run(engine, "SELECT 0 FROM pg_sleep(600)", 0, 0).catch((error: unknown) => error);
          const running = "SELECT FROM pg_stat_activity WHERE usename = 'reader' AND query LIKE '%pg_sleep%'";
          while ((await own.admin.query(running)).rowCount === 0)
            await new Promise((resolve) => setTimeout(resolve, 20));
          for (const socket of sockets) socket.destroy();
          expect(await asked).toMatchObject({ code: "engine.failed" });
          expect(logged).toContainEqual(expect.stringMatching(/^a lost connection: /));
          expect(unseal(await run(engine, "SELECT 7", 0, 0)).groups[0]!.units).toBe(7n);
        },
        { url: own.server.urlOf("reader").replace(port, String(free)) },
      );
      await own.admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'",
      );
    } finally {
      between.close();
    }
  });

  it("begins nothing while it is being closed, nor after that", () =>
    withEngine(policyOf(plain("people")), async (engine) => {
      const running = run(engine, "SELECT 0 FROM pg_sleep(600)", 0, 0).catch((error: unknown) => error);
      const closing = engine.close();
      const refusal = { code: "internal.invariant", message: "the engine was asked after it was closed" };
      await expect(engine.storage("people")).rejects.toMatchObject(refusal);
      await closing;
      expect(await running).toMatchObject({ code: "engine.failed" });
      await expect(engine.storage("people")).rejects.toMatchObject(refusal);
    }));

  it("reads under settings of its own, whatever the role's are, in a transaction that may only read", async () => {
    const settings = {
      jit: "on",
      transform_null_equals: "on",
      standard_conforming_strings: "off",
      extra_float_digits: "0",
      datestyle: "German",
      timezone: "Asia/Tokyo",
      search_path: "public",
      work_mem: "1MB",
      default_transaction_isolation: "read committed",
    };
    for (const [name, value] of Object.entries(settings))
      await own.admin.query(`ALTER ROLE reader SET ${name} = '${value}'`);
    const limits = { timeoutMs: 45_000, workMemoryKiB: 12_345 };
    const expected = {
      application_name: "lethe",
      client_encoding: "UTF8",
      DateStyle: "ISO, YMD",
      extra_float_digits: "1",
      idle_in_transaction_session_timeout: "45000",
      jit: "off",
      lock_timeout: "45000",
      log_parameter_max_length_on_error: "0",
      search_path: "pg_catalog, pg_temp",
      standard_conforming_strings: "on",
      statement_timeout: "45000",
      TimeZone: "UTC",
      transaction_isolation: "repeatable read",
      transaction_read_only: "on",
      transform_null_equals: "off",
      work_mem: "12345",
    };
    const names = Object.keys(expected).map((name) => `'${name}'`);
    const sql = `SELECT name, setting, 0 FROM pg_settings WHERE name IN (${names.join(", ")})`;
    try {
      await withEngine(
        policyOf(plain("people")),
        async (engine) => {
          const { groups } = unseal(await run(engine, sql, 2, 0));
          expect(Object.fromEntries(groups.map(({ key }) => key))).toEqual(expected);
        },
        { limits },
      );
    } finally {
      await own.admin.query("ALTER ROLE reader RESET ALL");
    }
  });

  it("reads keys of every type that an answer may have, and no other", () =>
    withEngine(policyOf(plain("people")), async (engine, logged) => {
      const keys = {
        "int2 '-7'": -7n,
        "int4 '7'": 7n,
        "int8 '9007199254740993'": 9_007_199_254_740_993n,
        "float4 '0.5'": 0.5,
        "float8 '0.1'": 0.1,
        "float8 'NaN'": null,
        "text 'a'": "a",
        "varchar 'b'": "b",
        "char(3) 'c'": "c  ",
        true: true,
        false: false,
      };
      const sql = `SELECT ${Object.keys(keys).join(", ")}, int2 '1', int4 '2', int8 '3', numeric '4'`;
      const { groups } = unseal(await run(engine, sql, 11, 3));
      expect(groups).toEqual([{ key: Object.values(keys), units: 1n, sums: [2n, 3n, 4n] }]);
      for (const [key, sum] of [
        ["numeric '1'", "0"],
        ["date '2020-01-01'", "0"],
        ["1", "float8 '1'"],
        ["1", "true"],
      ])
        await expect(run(engine, `SELECT ${key}, 1, ${sum}`, 1, 1)).rejects.toMatchObject({
          code: "engine.failed",
        });
      expect(logged.slice(-4)).toEqual([
        ...["a key is neither text, number nor boolean", "a key is neither text, number nor boolean"],
        ...["a sum is not a number", "a sum is not a number"],
      ]);
    }));

  it("tells the owner, and nobody else, which rows the limits on a unit keep", async () => {
    await own.admin.query(`CREATE TABLE visits (who text, g text); GRANT SELECT ON visits TO reader;
      INSERT INTO visits SELECT split_part(v, ' ', 1), split_part(v, ' ', 2)
      FROM unnest(ARRAY['p a', 'p a', 'p a', 'p b', 'q b', 'r a', 'r b']) AS v; INSERT INTO visits VALUES (NULL, 'a')`);
    const visits = policyOf(
      "visits: { unit: who, max_groups_contributed: 1, max_rows_contributed_per_group: 2, columns: { who: { type: text }, g: { type: text, categories: [a, b] } } }",
      plain("people"),
    );
    await withEngine(visits, async (engine, logged) => {
      const { keptRows } = engine as PostgresEngine;
      const told = keptRows.bind(engine);
      // p has 4 rows, of which 2 count; by groups 2 and 1 in two groups, of which one counts: 1.5. r has one row in each of two.
      expect(await told("visits")).toEqual({
        units: 3,
        beyond: 1,
        limit: 2,
        share: 5 / 7,
        grouped: [{ column: "g", beyond: 2, share: (1.5 + 1 + 1) / 7 }],
      });
      expect(await told("people")).toBeNull();
      await expect(told("nobody")).rejects.toMatchObject({ code: "query.unknown-table" });
      expect(logged).toEqual([]);
    });
    await withEngine(
      visits,
      async (engine, logged) => {
        await own.admin.query("BEGIN; LOCK TABLE visits");
        try {
          await expect((engine as PostgresEngine).keptRows("visits")).rejects.toMatchObject({
            code: "engine.failed",
            message: "the database could not answer; details are in the owner's log",
            fix: "ask the owner of the data",
          });
        } finally {
          await own.admin.query("ROLLBACK");
        }
        expect(logged.at(-1)).toMatch(/^(55P03|57014): canceling statement/);
      },
      { limits: { timeoutMs: 200 } },
    );
  });

  it("says what is wrong in words of its own; the log has the server's, with their code and detail", async () => {
    await withEngine(policyOf(plain("people")), async (engine, logged) => {
      for (const table of ["nobody", "toString"])
        await expect(engine.storage(table)).rejects.toMatchObject({
          code: "query.unknown-table",
          message: `the policy has no table ${table}`,
          fix: "ask a table that the policy names",
          fields: { table },
        });
      await expect(run(engine, "SELECT 1/0", 0, 0)).rejects.toMatchObject({ code: "engine.failed" });
      await expect(run(engine, "SELECT '[1'::json", 0, 0)).rejects.toMatchObject({ code: "engine.failed" });
      expect(logged).toEqual([
        "22012: division by zero",
        "22P02: invalid input syntax for type json: The input string ended unexpectedly.",
      ]);
    });
    await withEngine(
      policyOf(plain("people")),
      async (engine, logged) => {
        await expect(engine.storage("people")).rejects.toMatchObject({
          code: "engine.source",
          message: "the database of the policy cannot be asked",
          fix: "check that the server runs and that the environment names it; details are in the owner's log",
          fields: { table: "people" },
        });
        expect(logged).toEqual([expect.stringMatching(/^people: ECONNREFUSED: /)]);
      },
      { url: "postgres://reader@127.0.0.1:1/postgres" },
    );
  });

  it("asks as many statements at once as its limit says; the others wait", () =>
    withEngine(
      policyOf(plain("people")),
      async (engine) => {
        const running = "SELECT FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'";
        const asked = [1, 2, 3].map((n) =>
          run(engine, `SELECT ${n} FROM pg_sleep(600)`, 0, 0).catch((error: unknown) => error),
        );
        while ((await own.admin.query(running)).rowCount !== 2)
          await new Promise((resolve) => setTimeout(resolve, 20));
        await engine.close();
        for (const answer of asked) expect(await answer).toMatchObject({ code: "engine.failed" });
        expect((await own.admin.query(running)).rowCount).toBe(0);
      },
      { limits: { connections: 2 } },
    ));

  it("leaves no connection behind when it is closed", async () => {
    const open = async (): Promise<number> =>
      (await own.admin.query("SELECT FROM pg_stat_activity WHERE usename = 'reader'")).rowCount!;
    await withEngine(policyOf(plain("people")), async (engine) => {
      await run(engine, "SELECT 7", 0, 0);
      expect(await open()).toBeGreaterThan(0);
    });
    for (let turn = 0; turn < 100 && (await open()) > 0; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await open()).toBe(0);
  });

  it("refuses limits that are none", () => {
    for (const limits of [
      { timeoutMs: Number.NaN },
      { maxGroups: 0 },
      { connections: 1.5 },
      { workMemoryKiB: 2 ** 31 },
    ])
      expect(() => subject(policyOf(plain("people")), { limits })).toThrow(/limits\./);
  });

  it("takes a view that the policy vouches for as it takes a table", async () => {
    await own.admin.query("CREATE VIEW well_paid AS SELECT * FROM people WHERE wage > 5");
    await own.admin.query("GRANT SELECT ON well_paid TO reader");
    const vouched = plain("people", "public.well_paid").replace("unit:", "trusted: true, unit:");
    await withEngine(policyOf(vouched), async (engine) => {
      const storage = await engine.storage("people");
      expect(storage.relation).toEqual(["public", "well_paid"]);
      expect(
        unseal(await run(engine, `SELECT count(*) FROM ${quoted(storage.relation)}`, 0, 0)).groups[0]!.units,
      ).toBe(2n);
    });
  });
});
