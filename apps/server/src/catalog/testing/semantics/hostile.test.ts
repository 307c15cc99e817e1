import { LetheError } from "@lethe/core";
import { describeTables, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { openSide } from "../corpus/catalog-side.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  people: { file: people.csv, unit: row, columns: { wage: { type: number, bounds: [0, 60] } } }
`);

/** Statements that touch a file, the machine, other connections or rows. A PostgreSQL of a superuser would do what they say. */
const touching: readonly string[] = [
  "SELECT pg_sleep(600)",
  "SELECT pg_sleep_for('10 minutes')",
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT pg_read_binary_file('/etc/passwd')",
  "SELECT pg_ls_dir('/')",
  "SELECT pg_stat_file('/etc/passwd')",
  "SELECT * FROM pg_ls_logdir()",
  "SELECT lo_import('/etc/passwd')",
  "SELECT lo_get(1)",
  "SELECT lo_export(1, '/tmp/x')",
  "SELECT * FROM dblink('host=127.0.0.1', 'SELECT 1') AS t(a integer)",
  "SELECT set_config('role', 'lethe', false)",
  "SELECT set_config('session_authorization', 'lethe', false)",
  "SELECT set_config('server_version', '9.0', false)",
  "SELECT pg_terminate_backend(pg_backend_pid())",
  "SELECT pg_cancel_backend(1)",
  "SELECT pg_reload_conf()",
  "SELECT pg_rotate_logfile()",
  "SELECT pg_advisory_lock(1)",
  "SELECT pg_notify('a', 'b')",
  "SELECT nextval('s')",
  "SELECT setseed(0.5)",
  "SELECT query_to_xml('SELECT wage FROM people', true, true, '')",
  "SELECT table_to_xml('people', true, true, '')",
  "SELECT database_to_xml(true, true, '')",
  "SELECT cursor_to_xml('c', 1, true, true, '')",
  "SELECT ts_stat('SELECT wage FROM people')",
  "SELECT wage FROM people",
  "SELECT count(*) FROM people",
  "SELECT * FROM pg_catalog.pg_class c, people p",
  "SELECT (SELECT max(wage) FROM people) FROM pg_catalog.pg_namespace",
  "SELECT 1 WHERE EXISTS (TABLE people)",
  "SELECT people FROM people",
  "WITH d AS (DELETE FROM people RETURNING wage) SELECT * FROM d",
  "SELECT * INTO taken FROM pg_catalog.pg_class",
  "SELECT * FROM pg_catalog.pg_class FOR UPDATE",
  "INSERT INTO pg_catalog.pg_class DEFAULT VALUES",
  "UPDATE pg_catalog.pg_authid SET rolsuper = true",
  "DO $$ BEGIN END $$",
  "COPY (SELECT 1) TO PROGRAM 'id'",
];

const many = (text: string, count: number, between = ""): string => Array(count).fill(text).join(between);

/** Statements that would take an evaluator without bounds hours, or all of its memory. */
const costly: Readonly<Record<string, string>> = {
  "a long series": "SELECT count(*) FROM generate_series(1, 1000000000) AS g",
  "a series without end": "SELECT * FROM generate_series(1, 9223372036854775807, 1) AS g",
  "a series of no step": "SELECT * FROM generate_series(1, 2, 0) AS g",
  "a tenfold cross join": `SELECT count(*) FROM ${many("pg_catalog.pg_proc", 10, ", ").replace(
    /pg_proc/g,
    (() => {
      let at = 0;
      return (name: string) => `${name} AS p${at++}`;
    })(),
  )}`,
  "a cross join in brackets": `SELECT 1 FROM pg_catalog.pg_proc a CROSS JOIN (pg_catalog.pg_proc b CROSS JOIN (pg_catalog.pg_proc c CROSS JOIN pg_catalog.pg_proc d)) WHERE a.pronargs + b.pronargs + c.pronargs + d.pronargs < 0`,
  "a subquery for each row, in each row":
    "SELECT (SELECT count(*) FROM pg_catalog.pg_proc b WHERE b.oid <> a.oid AND EXISTS (SELECT 1 FROM pg_catalog.pg_proc c WHERE c.pronargs > a.pronargs + b.pronargs + 99)) FROM pg_catalog.pg_proc a",
  "a recursion without end":
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
  "a recursion that grows":
    "WITH RECURSIVE r(n) AS (SELECT 'x'::text UNION ALL SELECT n || n FROM r) SELECT max(length(n)) FROM r",
  "a long repetition": "SELECT length(repeat('x', 1000000000))",
  "a repetition of repetitions": "SELECT repeat(repeat(repeat('x', 10000), 10000), 10000)",
  "a long padding": "SELECT length(lpad('x', 2000000000, 'y'))",
  "a text that doubles in each step":
    `SELECT length(a) FROM (SELECT 'xxxxxxxxxx'::text AS a) AS t0 ${Array.from(
      { length: 40 },
      (_, at) => `CROSS JOIN LATERAL (SELECT t${at}.a || t${at}.a AS a) AS t${at + 1}`,
    ).join(" ")}`.replace("length(a)", "length(t40.a)"),
  "a replacement that grows": "SELECT length(replace(repeat('x', 100000), 'x', repeat('y', 100000)))",
  "a replacement of more than 2³¹ characters":
    "SELECT length(replace(repeat('x', 100000), 'x', repeat('y', 30000)))",
  "a long aggregate of long texts":
    "SELECT length(string_agg(repeat('x', 100000), ',')) FROM generate_series(1, 100000)",
  "an aggregate of all pairs":
    "SELECT string_agg(a.proname, b.proname) FROM pg_catalog.pg_proc a, pg_catalog.pg_proc b",
  "a format of long texts": `SELECT format('${many("%1$s", 1000)}', repeat('x', 1000000))`,
  "a width in a format": "SELECT format('%2000000000s', 'x')",
  "a filled array": "SELECT array_fill(0, ARRAY[1000000000])",
  "a split into as many parts as letters, squared":
    "SELECT count(*) FROM unnest(string_to_array(repeat('a,', 1000000), ',')) a, unnest(string_to_array(repeat('a,', 1000000), ',')) b",
  "a regular expression that goes back":
    "SELECT repeat('a', 40) || 'b' ~ '^(a+)+$' AND repeat('a', 40) || 'b' ~ '^(a|a)*$' AND repeat('a', 5000) || 'b' ~ '(a*)*(a*)*(a*)*c' FROM pg_catalog.pg_proc",
  "a regular expression that counts": "SELECT repeat('a', 100000) ~ '((a{1,255}){1,255}){1,255}b'",
  "a sort of all pairs":
    "SELECT a.oid FROM pg_catalog.pg_proc a, pg_catalog.pg_proc b ORDER BY b.proname, a.proname",
  "a union of unions": `WITH a AS (SELECT oid FROM pg_catalog.pg_proc) ${many("SELECT * FROM a x CROSS JOIN a y", 50, " UNION ")}`,
  "a number of many digits": `SELECT ${many("9", 200_000)} * ${many("9", 200_000)}`,
  "views whose sources are all put in order": `SELECT 1 WHERE false AND EXISTS (SELECT 1 FROM ${Array.from({ length: 300 }, (_, at) => `information_schema.columns c${at}`).join(", ")})`,
  "many sources, each of which is weighed by many conditions": `SELECT 1 FROM ${Array.from({ length: 150 }, (_, at) => `pg_catalog.pg_namespace n${at}`).join(", ")} WHERE true${Array.from({ length: 149 }, (_, at) => ` AND n${at}.oid = n${at + 1}.oid`).join("")}`,
  "views that are read again and again": `SELECT ${many("(SELECT count(*) FROM information_schema.columns)", 50, ", ")}`,
};

/** Statements whose text is deep or long. */
const shaped: Readonly<Record<string, string>> = {
  "a pattern of many signs": `SELECT repeat('a', 100000) LIKE '${many("%a", 5000)}%b'`,
  brackets: `SELECT ${many("(", 10_000)}1${many(")", 10_000)}`,
  "brackets that are not closed": `SELECT ${many("(", 10_000)}`,
  negations: `SELECT ${many("NOT ", 10_000)}true`,
  signs: `SELECT ${many("- ", 10_000)}1`,
  additions: `SELECT 1${many(" + 1", 20_000)}`,
  conjunctions: `SELECT 1 WHERE true${many(" AND (true OR false)", 20_000)}`,
  cases: `SELECT ${many("CASE WHEN true THEN ", 5_000)}1${many(" END", 5_000)}`,
  calls: `SELECT ${many("upper(", 5_000)}'x'${many(")", 5_000)}`,
  subqueries: `SELECT * FROM ${many("(SELECT * FROM ", 2_000)}pg_catalog.pg_class${many(") AS s", 2_000)}`,
  unions: many("SELECT 1", 5_000, " UNION "),
  joins: `SELECT 1 FROM pg_catalog.pg_class AS c0${Array.from({ length: 3_000 }, (_, at) => ` JOIN pg_catalog.pg_class AS c${at + 1} USING (oid)`).join("")}`,
  columns: `SELECT ${many("1", 50_000, ", ")}`,
  "a list": `SELECT 1 WHERE 1 IN (${many("1", 100_000, ", ")})`,
  "an array": `SELECT '{${many("1", 1_000_000, ",")}}'::integer[]`,
  "an array of arrays": `SELECT '${many("{", 10_000)}${many("}", 10_000)}'::integer[]`,
  indirections: `SELECT (ARRAY[1])${many("[1]", 5_000)}`,
  casts: `SELECT 1${many("::integer", 10_000)}`,
  "common tables": `WITH ${Array.from({ length: 3_000 }, (_, at) => `w${at} AS (SELECT * FROM ${at ? `w${at - 1}` : "pg_catalog.pg_namespace"})`).join(", ")} SELECT * FROM w2999`,
};

describe("what the catalog must not do", () => {
  const coded = async (text: string): Promise<string> => {
    const ask = await openSide(await describeTables(policy));
    try {
      ask({ text, parameters: [] });
    } catch (error) {
      if (error instanceof LetheError) return error.code;
      throw error;
    }
    return "answered";
  };
  const lives = async (): Promise<void> => {
    const ask = await openSide([]);
    const { rows } = ask({
      text: "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'public'",
      parameters: [],
    });
    expect(rows).toEqual([["1"]]);
  };

  it.each(touching)("touches nothing: %s", async (text) => {
    expect(await coded(text)).toMatch(/^query\./);
    await lives();
  });

  it.each(Object.keys(costly))("bounds its steps and its memory: %s", async (what) => {
    expect(await coded(costly[what] as string)).toMatch(/^query\./);
    await lives();
  });

  // What is only long may be answered.
  it.each(Object.keys(shaped))("survives the depth or the length of %s", async (what) => {
    expect(await coded(shaped[what] as string)).toMatch(/^(query\.|answered)/);
    await lives();
  });
});
