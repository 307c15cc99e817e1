import type { LetheError } from "@lethe/core";
import { type Engine, type Policy, readPolicy, trino } from "@lethe/query";
import {
  askTrino,
  type EngineSubject,
  engineContract,
  hasTrino,
  peopleRows,
  type TrinoTables,
  trinoTables,
  trinoUrlOf,
} from "@lethe/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../core/src/exact/exact.ts";
import { openTrino, type TrinoOptions } from "./open-trino.ts";
import { quoteRelation } from "./quote.ts";

const columns = "columns: { wage: { type: number }, sector: { type: text } }";

function policyOf(...tables: readonly string[]): Policy {
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
${tables.map((line) => `  ${line}`).join("\n")}
`);
}

const plain = (name: string, more = ""): string => `${name}: { ${more} unit: row, ${columns} }`;

describe.skipIf(!hasTrino())("Trino", () => {
  let own: TrinoTables;
  beforeAll(async () => {
    own = await trinoTables();
    const at = `memory.${own.schema}`;
    await askTrino(`CREATE TABLE ${at}.people (wage double, sector varchar)`);
    await askTrino(`CREATE TABLE ${at}.drifted (sector varchar)`);
    const rows = peopleRows.map(
      ([wage, sector]) =>
        `(${wage === null ? "NULL" : `DOUBLE '${wage}'`}, ${sector === null ? "NULL" : `'${sector}'`})`,
    );
    await askTrino(`INSERT INTO ${at}.people VALUES ${rows.join(", ")}`);
  });
  afterAll(() => own.drop());

  function subject(
    policy: Policy,
    options: Partial<TrinoOptions> = {},
    user = "lethe",
  ): { engine: Engine; logged: string[] } {
    const logged: string[] = [];
    const url = trinoUrlOf(user, `memory/${own.schema}`);
    const log = (detail: string): number => logged.push(detail);
    return { engine: openTrino({ policy, url, seed: "a secret seed", log, ...options }), logged };
  }

  engineContract(
    "Trino",
    {
      wideInteger: "decimal(38,0)",
      double: "double",
      nan: "nan()",
      seed: trino.seed,
      endless: "tpch.sf100000.lineitem",
    },
    async (): Promise<EngineSubject> => ({
      ...subject(policyOf(plain("people"), plain("drifted"), plain("gone"))),
      quote: ({ relation }) => quoteRelation(relation),
      dispose: async () => undefined,
    }),
  );

  async function withEngine(
    policy: Policy,
    use: (engine: Engine, logged: string[]) => Promise<void>,
    options: Partial<TrinoOptions> = {},
    user = "lethe",
  ): Promise<void> {
    const { engine, logged } = subject(policy, options, user);
    try {
      await use(engine, logged);
    } finally {
      await engine.close();
    }
  }

  const told = async (policy: Policy, table: string, user?: string): Promise<LetheError> => {
    let error: unknown;
    await withEngine(
      policy,
      async (engine) => {
        error = await engine.storage(table).catch((thrown: unknown) => thrown);
      },
      {},
      user,
    );
    return error as LetheError;
  };

  /** Asks the engine as a plan would; the SQL is not a plan's. */
  function run(engine: Engine, sql: string, keys: number, sums: number): ReturnType<Engine["run"]> {
    return engine.run({ dialect: "trino", sql, keys, sums, needsSeed: false } as never);
  }

  /** The state of the statement with a mark in its text, as the server has it. */
  const stateOf = async (mark: string): Promise<unknown> =>
    (
      await askTrino(
        `SELECT state, error_code FROM system.runtime.queries WHERE query LIKE '%${mark}%' AND query NOT LIKE '%system.runtime%'`,
      )
    )[0];

  it("ends a statement on the server when the engine closes", async () => {
    const { engine } = subject(policyOf(plain("people")));
    const running = run(
      engine,
      "SELECT 0, count(*) AS mark_of_closing FROM tpch.sf100000.lineitem",
      0,
      1,
    ).catch((error: unknown) => error);
    await expect.poll(() => stateOf("mark_of_closing")).toEqual(["RUNNING", null]);
    await engine.close();
    expect(await running).toMatchObject({ code: "engine.failed" });
    await expect.poll(() => stateOf("mark_of_closing")).toEqual(["FAILED", "USER_CANCELED"]);
  });

  it("ends a statement on the server whose groups are more than may be", async () => {
    const sql = "SELECT orderkey AS mark_of_groups, 1 FROM tpch.sf100000.orders";
    await withEngine(
      policyOf(plain("people")),
      async (engine, logged) => {
        await expect(run(engine, sql, 1, 0)).rejects.toMatchObject({ code: "engine.failed" });
        expect(logged).toEqual(["more than 10 groups"]);
      },
      { limits: { maxGroups: 10 } },
    );
    await expect.poll(() => stateOf("mark_of_groups")).toEqual(["FAILED", "USER_CANCELED"]);
  });

  it("ends a statement at its time, and one that needs more memory than it may have", async () => {
    const cases = [
      [{ timeoutMs: 1500 }, "SELECT 0, count(*) FROM tpch.sf100000.lineitem", "EXCEEDED_TIME_LIMIT"],
      [
        { queryMemoryMiB: 8 },
        "SELECT 0, count(*) FROM (SELECT DISTINCT orderkey, comment FROM tpch.sf1.orders)",
        "EXCEEDED_GLOBAL_MEMORY_LIMIT",
      ],
    ] as const;
    const errors: unknown[] = [];
    for (const [limits, sql, name] of cases)
      await withEngine(
        policyOf(plain("people")),
        async (engine, logged) => {
          errors.push(await run(engine, sql, 0, 1).catch((error: unknown) => error));
          expect(logged.join("\n")).toContain(name);
        },
        // What may be spilled would be, and the statement would be answered.
        { limits, url: trinoUrlOf("lethe", `memory/${own.schema}?session.spill_enabled=false`) },
      );
    for (const error of errors) expect(error).toMatchObject({ code: "engine.failed" });
    expect(JSON.stringify(errors[0])).toBe(JSON.stringify(errors[1]));
  });

  it("names the native types of what the policy reads", async () => {
    await askTrino(
      `CREATE TABLE memory.${own.schema}.typed (a decimal(12,2), b timestamp(6), c varchar(5), d uuid, e array(integer), f varbinary, g real)`,
    );
    const typed = (declared: string): Policy => policyOf(`typed: { unit: row, columns: { ${declared} } }`);
    await withEngine(
      typed("a: { type: number }, b: { type: timestamp }, c: { type: text }, d: { type: text }"),
      async (engine) => {
        expect(await engine.storage("typed")).toEqual({
          relation: ["memory", own.schema, "typed"],
          layout: "raw",
          types: { a: "decimal(12,2)", b: "timestamp(6)", c: "varchar(5)", d: "uuid" },
        });
      },
    );
    for (const [column, type] of [
      ["e", "text"],
      ["f", "text"],
      ["g", "text"],
      ["d", "number"],
      ["b", "number"],
      ["a", "date"],
    ])
      expect(await told(typed(`${column}: { type: ${type} }`), "typed"), `${column} ${type}`).toMatchObject({
        code: "engine.schema",
        fields: { table: "typed", column },
      });
  });

  it("refuses a user that may write", async () => {
    expect(await told(policyOf(plain("people")), "people", "owner")).toMatchObject({
      code: "engine.source",
      message: "the user of Trino may make tables beside the relation of people",
    });
  });

  it("refuses a view, or what a connector may fail to read, unless the policy vouches", async () => {
    await askTrino(`CREATE VIEW memory.${own.schema}.seen AS SELECT * FROM memory.${own.schema}.people`);
    expect(await told(policyOf(plain("seen")), "seen")).toMatchObject({
      code: "engine.untrusted",
      message: "the relation of seen is a view",
    });
    await withEngine(policyOf(plain("seen", "trusted: true,")), async (engine) => {
      expect(await engine.storage("seen")).toMatchObject({ relation: ["memory", own.schema, "seen"] });
    });
    const hive = await trinoTables("hive");
    try {
      await askTrino(`CREATE TABLE hive.${hive.schema}.people AS SELECT * FROM memory.${own.schema}.people`);
      const relation = `relation: hive.${hive.schema}.people,`;
      expect(await told(policyOf(plain("people", relation)), "people")).toMatchObject({
        code: "engine.untrusted",
        message:
          "the relation of people lies in a catalog of the connector hive, which may meet a row that it cannot read",
      });
      await withEngine(policyOf(plain("people", `${relation} trusted: true,`)), async (engine) => {
        expect((await engine.storage("people")).relation).toEqual(["hive", hive.schema, "people"]);
      });
    } finally {
      await hive.drop();
    }
  });

  it("refuses two tables that read one relation in two roles, whatever its catalog, and a view beside another role", async () => {
    const rows = `relation: memory.${own.schema}.people,`;
    const open = "public: true, columns: { sector: { type: text } }";
    const twice = policyOf(plain("people", rows), `open: { relation: MEMORY.${own.schema}.People, ${open} }`);
    for (const table of ["people", "open"])
      expect(await told(twice, table)).toMatchObject({
        code: "policy.roles",
        message: expect.stringContaining("read one source in two roles"),
      });
    await askTrino(`CREATE VIEW memory.${own.schema}.looked AS SELECT * FROM memory.${own.schema}.drifted`);
    const view = policyOf(plain("people"), `looked: { trusted: true, ${open} }`);
    expect(await told(view, "people")).toMatchObject({
      code: "policy.roles",
      message: expect.stringContaining("what looked reads cannot be told"),
    });
    const apart = policyOf(plain("people"), `drifted: { ${open} }`);
    await withEngine(apart, async (engine) => {
      expect((await engine.storage("drifted")).types).toEqual({ sector: "varchar" });
    });
  });

  it("refuses a view that no longer fits its table before anything is charged", async () => {
    const at = `memory.${own.schema}`;
    await askTrino(`CREATE TABLE ${at}.below AS SELECT wage, sector FROM ${at}.people`);
    await askTrino(`CREATE VIEW ${at}.stale AS SELECT * FROM ${at}.below`);
    await askTrino(`DROP TABLE ${at}.below`);
    expect(await told(policyOf(plain("stale", "trusted: true,")), "stale")).toMatchObject({
      code: "engine.source",
      message: "Trino has no relation for stale that can be read",
    });
  });

  it("fails with the constant where a column vanishes between the check and the run", async () => {
    const at = `memory.${own.schema}`;
    await askTrino(`CREATE TABLE ${at}.shrinking AS SELECT wage, sector FROM ${at}.people`);
    await withEngine(policyOf(plain("shrinking")), async (engine, logged) => {
      const { relation } = await engine.storage("shrinking");
      await askTrino(`DROP TABLE ${at}.shrinking`);
      await askTrino(`CREATE TABLE ${at}.shrinking AS SELECT sector FROM ${at}.people`);
      const error = await run(engine, `SELECT 0, count("wage") FROM ${quoteRelation(relation)}`, 0, 1).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code: "engine.failed" });
      expect(logged[0]).toMatch(/^COLUMN_NOT_FOUND/);
      expect(await engine.storage("shrinking").catch((thrown: unknown) => thrown)).toMatchObject({
        code: "engine.schema",
        fields: { column: "wage" },
      });
    });
  });

  it("takes session properties of the URL, and says before a charge that one is unknown", async () => {
    const url = trinoUrlOf("lethe", `memory/${own.schema}?session.no_such_property=1`);
    await withEngine(
      policyOf(plain("people")),
      async (engine, logged) => {
        expect(await engine.storage("people").catch((error: unknown) => error)).toMatchObject({
          code: "engine.source",
          message: "the Trino of the policy cannot be asked",
        });
        expect(logged[0]).toContain("INVALID_SESSION_PROPERTY");
      },
      { url },
    );
    const joined = trinoUrlOf("lethe", `memory/${own.schema}?session.join_distribution_type=PARTITIONED`);
    await withEngine(
      policyOf(plain("people")),
      async (engine) => {
        expect(unseal(await run(engine, "SELECT 0, 7", 0, 1)).groups[0]!.sums).toEqual([7n]);
      },
      { url: joined },
    );
  });
});
