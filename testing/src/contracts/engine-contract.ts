import { LetheError } from "@lethe/core";
import type { Exact, ExactRows } from "@lethe/core/mechanisms";
import type { CompiledPublic, CompiledQuery, Engine, TableStorage } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { unseal } from "../../../packages/core/src/exact/exact.ts";

/** An engine under test, opened over the tables that the suite describes. */
export interface EngineSubject {
  readonly engine: Engine;
  /** The entries of the owner's log. */
  readonly logged: readonly string[];
  /** A relation in the dialect's SQL. */
  quote(storage: TableStorage): string;
  /** Removes everything; the engine is closed by then. */
  dispose(): Promise<void>;
}

/** Types of the dialect, where engines differ in their names. */
export interface EngineDialect {
  /** Integers of at least 127 bits. */
  readonly wideInteger: string;
  readonly double: string;
  /** A double that is not a number, and the parameter of the seed, where they are not CAST('nan' AS double) and $1. */
  readonly nan?: string;
  readonly seed?: string;
  /** A SELECT list item or relation that keeps the engine busy for minutes. */
  readonly endless: string;
}

/**
 * The tables that `make` must put into the policy: `people` with the rows below; `drifted`, whose source lacks the
 * column `wage`; `gone`, whose source does not exist. All have unit: row, wage: number, sector: text.
 */
export const peopleRows: readonly (readonly [wage: number | null, sector: string | null])[] = [
  [12.5, "café"],
  [3, "café"],
  [null, "公務員"],
  [7, null],
  [1, "31337-secret"],
];

const wide = 2n ** 120n + 1n;

/** Tests the promises of every engine. */
export function engineContract(
  name: string,
  dialect: EngineDialect,
  make: () => Promise<EngineSubject>,
): void {
  async function withEngine(use: (subject: EngineSubject) => Promise<void>): Promise<void> {
    const subject = await make();
    try {
      await use(subject);
    } finally {
      await subject.engine.close();
      await subject.dispose();
    }
  }

  describe(`${name} keeps the contract of engines`, () => {
    it("checks a table's storage before anything is charged", () =>
      withEngine(async ({ engine }) => {
        expect(["raw", "snapshot"]).toContain((await engine.storage("people")).layout);
        await expect(engine.storage("gone")).rejects.toMatchObject({ code: "engine.source" });
        await expect(engine.storage("unknown")).rejects.toMatchObject({ code: "query.unknown-table" });
        const drift = await engine.storage("drifted").catch((error: unknown) => error);
        expect(drift).toBeInstanceOf(LetheError);
        expect(drift).toMatchObject({ code: "engine.schema", fields: { table: "drifted", column: "wage" } });
      }));

    it("reads the rows of a table into groups; texts of any script and NULL are keys", () =>
      withEngine(async (subject) => {
        const from = subject.quote(await subject.engine.storage("people"));
        const sql = `SELECT sector, count(*), count(wage) FROM ${from} GROUP BY sector`;
        const { groups } = await answer(subject, sql, 1, 1);
        const byKey = new Map(groups.map(({ key, units, sums }) => [key[0], [units, sums[0]]]));
        expect(byKey).toEqual(
          new Map([
            ["café", [2n, 2n]],
            ["公務員", [1n, 0n]],
            [null, [1n, 1n]],
            ["31337-secret", [1n, 1n]],
          ]),
        );
      }));

    it("keeps texts apart that differ in a byte order mark, a blank or an accent alone", () =>
      withEngine(async (subject) => {
        const texts = ["a", "\ufeffa", "\ufeff\ufeffa", "\ufeff", "", " a", "e\u0301", "é"];
        const rows = texts.map((text) => `('${text}', 1)`).join(", ");
        const from = `(VALUES ${rows}, (NULL, NULL)) AS t(text, n)`;
        const asked = query(subject, `SELECT text, n, 0 FROM ${from}`, 2, 0);
        const expected = [...texts.map((text) => [text, 1n]), [null, null]];
        // Whether the plan called them texts or not.
        for (const each of [asked, { ...asked, textKeys: [0] }]) {
          const { groups } = unseal(await subject.engine.run(each));
          expect(new Set(groups.map(({ key }) => String(key)))).toEqual(new Set(expected.map(String)));
          expect(groups.length).toBe(texts.length + 1);
        }
      }));

    it("brings integers over without rounding, as keys and as sums", () =>
      withEngine(async (subject) => {
        const values = [wide, -wide, 2n ** 53n + 1n, 0n];
        const casts = values.map((value) => cast(`'${value}'`, dialect.wideInteger)).join(", ");
        const sql = `SELECT ${cast("9007199254740993", "BIGINT")}, ${cast("7", "INTEGER")}, 0, ${casts}`;
        const { groups } = await answer(subject, sql, 2, values.length);
        expect(groups).toEqual([{ key: [9007199254740993n, 7n], units: 0n, sums: values }]);
      }));

    it("brings numbers, booleans and NULL over; −0 is 0", () =>
      withEngine(async (subject) => {
        const minusZero = cast("'-0.0'", dialect.double);
        const keys = [cast("0.1", dialect.double), "true", "NULL", cast("3", dialect.double), minusZero];
        const { groups } = await answer(subject, `SELECT ${keys.join(", ")}, 1`, keys.length, 0);
        expect(groups).toEqual([{ key: [0.1, true, null, 3, 0], units: 1n, sums: [] }]);
        expect(Object.is(groups[0]!.key[4], 0)).toBe(true);
      }));

    it("gives no group for no row, and 0 for the sum of none", () =>
      withEngine(async (subject) => {
        const from = subject.quote(await subject.engine.storage("people"));
        const none = `FROM ${from} WHERE 1 = 0`;
        const grouped = await answer(subject, `SELECT sector, count(*) ${none} GROUP BY sector`, 1, 0);
        expect(grouped.groups).toEqual([]);
        const whole = await answer(subject, `SELECT 0, count(*), sum(CAST(wage AS BIGINT)) ${none}`, 0, 2);
        expect(whole.groups).toEqual([{ key: [], units: 0n, sums: [0n, 0n] }]);
      }));

    it("reads results of many rows whole", () =>
      withEngine(async (subject) => {
        const digits = "(VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9))";
        const from = ["a", "b", "c", "d"].map((alias) => `${digits} AS ${alias}(${alias})`).join(", ");
        const sql = `SELECT a + 10 * b + 100 * c + 1000 * d, 1, a FROM ${from}`;
        const { groups } = await answer(subject, sql, 1, 1);
        const keys = groups.map(({ key }) => key[0] as bigint);
        expect(new Set(keys).size).toBe(10_000);
        expect(groups.every(({ key, sums }) => (key[0] as bigint) % 10n === sums[0])).toBe(true);
      }));

    it("gives the seed to a statement that needs it, and to no other", () =>
      withEngine(async (subject) => {
        const sql = `SELECT ${cast(`length(${dialect.seed ?? "$1"})`, "BIGINT")}, 0`;
        const { groups } = await answer(subject, sql, 1, 0, true);
        expect(groups[0]!.key[0]).toBeGreaterThan(0n);
        await expect(run(subject, sql, 1, 0)).rejects.toMatchObject({ code: "engine.failed" });
      }));

    it("fails with one constant, whatever happened; the log has the details, the error has none", () =>
      withEngine(async (subject) => {
        const from = subject.quote(await subject.engine.storage("people"));
        const failures: (() => Promise<unknown>)[] = [
          () => run(subject, `SELECT CAST(sector AS INTEGER), 0 FROM ${from}`, 1, 0),
          () => run(subject, "SELECT nonsense 31337 FROM", 0, 0),
          () => run(subject, "SELECT 0 FROM no_such_relation_31337", 0, 0),
          () => run(subject, "SELECT 0, 31337.5", 0, 1),
          () => run(subject, "SELECT 0, '31337'", 0, 1),
          () => run(subject, "SELECT 0, 31337", 0, 0),
          () => run(subject, "SELECT 31337", 1, 1),
          () => subject.engine.run({ ...query(subject, "SELECT 31337", 0, 0), dialect: "another" }),
        ];
        const errors = [];
        for (const fail of failures) {
          const told = subject.logged.length;
          errors.push(await fail().catch((error: unknown) => error));
          expect(subject.logged.length).toBeGreaterThan(told);
        }
        for (const error of errors) {
          expect(error).toBeInstanceOf(LetheError);
          expect(error).toMatchObject({ code: "engine.failed" });
          expect(JSON.stringify(error)).toBe(JSON.stringify(errors[0]));
          expect((error as LetheError).cause).toBeUndefined();
        }
        expect(JSON.stringify(errors)).not.toContain("31337");
      }));

    it("seals what it read", () =>
      withEngine(async (subject) => {
        const sealed = await run(subject, "SELECT 31337", 0, 0);
        expect(() => JSON.stringify(sealed)).toThrow(TypeError);
        expect(() => `${sealed}`).toThrow(TypeError);
      }));

    it("shows public rows as they are: numbers, texts, booleans, times and NULL", () =>
      withEngine(async (subject) => {
        const { dialect: name } = subject.engine;
        const ask = (sql: string, mostRows = 3) =>
          subject.engine.published({ dialect: name, sql, mostRows } as unknown as CompiledPublic);
        const values = [
          `${cast("7", "INTEGER")} AS a`,
          `${cast("9007199254740993", "BIGINT")} AS b`,
          `${cast("'-0.0'", dialect.double)} AS c`,
          `${dialect.nan ?? cast("'nan'", dialect.double)} AS d`,
          `${cast("1.25", "DECIMAL(6, 2)")} AS e`,
          "'café' AS f",
          "true AS g",
          `${cast("'2024-02-29'", "DATE")} AS h`,
          `${cast("'2024-02-29 13:05:00'", "TIMESTAMP")} AS i`,
          `${cast("NULL", "DATE")} AS j`,
        ];
        const { columns, rows } = await ask(`SELECT ${values.join(", ")}`);
        expect(columns.map((column) => `${column.name} ${column.type}`)).toEqual([
          ...["a number", "b number", "c number", "d number", "e number", "f text", "g boolean"],
          ...["h date", "i timestamp", "j date"],
        ]);
        expect(rows).toEqual([
          [7, "9007199254740993", 0, null, 1.25, "café", true, "2024-02-29", "2024-02-29 13:05:00", null],
        ]);
        expect(Object.is(rows[0]![2], 0)).toBe(true);
        const three = "SELECT * FROM (VALUES (1), (2), (3)) AS t(n)";
        expect((await ask(three)).rows).toHaveLength(3);
        expect((await ask(`${three} WHERE n > 5`)).columns).toEqual([{ name: "n", type: "number" }]);
        await expect(ask(three, 2)).rejects.toMatchObject({ code: "query.too-large" });
        await expect(ask("SELECT INTERVAL '1' DAY AS i")).rejects.toMatchObject({ code: "query.type" });
        const told = subject.logged.length;
        await expect(ask("SELECT nonsense 31337 FROM")).rejects.toMatchObject({ code: "engine.failed" });
        expect(subject.logged.length).toBeGreaterThan(told);
        await expect(
          subject.engine.published({
            dialect: "another",
            sql: "SELECT 1",
            mostRows: 1,
          } as unknown as CompiledPublic),
        ).rejects.toMatchObject({ code: "engine.failed" });
      }));

    it("answers several questions at once, one failing among them", () =>
      withEngine(async (subject) => {
        const asked = Array.from({ length: 12 }, (_, n) =>
          n === 5 ? run(subject, "SELECT x", 0, 0) : run(subject, `SELECT ${n}, ${n * n}`, 0, 1),
        );
        const settled = await Promise.allSettled(asked);
        expect(settled.map(({ status }) => status === "fulfilled")).toEqual(settled.map((_, n) => n !== 5));
        for (const [n, one] of settled.entries()) {
          if (one.status !== "fulfilled") continue;
          expect(unseal(one.value).groups[0]).toEqual({ key: [], units: BigInt(n), sums: [BigInt(n * n)] });
        }
      }));

    it("closes under a running question, twice if asked, and answers none after that", () =>
      withEngine(async (subject) => {
        const running = run(subject, `SELECT 0, count(*) FROM ${dialect.endless}`, 0, 1).catch(
          (error: unknown) => error,
        );
        await Promise.all([subject.engine.close(), subject.engine.close()]);
        expect(await running).toMatchObject({ code: "engine.failed" });
        await expect(run(subject, "SELECT 0", 0, 0)).rejects.toMatchObject({ code: "engine.failed" });
      }));
  });
}

function cast(expression: string, type: string): string {
  return `CAST(${expression} AS ${type})`;
}

/** A query as compile alone makes them otherwise. */
function query(
  subject: EngineSubject,
  sql: string,
  keys: number,
  sums: number,
  needsSeed = false,
): CompiledQuery {
  const { dialect } = subject.engine;
  return { dialect, sql, keys, sums, needsSeed } as unknown as CompiledQuery;
}

function run(subject: EngineSubject, sql: string, keys: number, sums: number): Promise<Exact<ExactRows>> {
  return subject.engine.run(query(subject, sql, keys, sums));
}

async function answer(
  subject: EngineSubject,
  sql: string,
  keys: number,
  sums: number,
  needsSeed = false,
): Promise<ExactRows> {
  return unseal(await subject.engine.run(query(subject, sql, keys, sums, needsSeed)));
}
