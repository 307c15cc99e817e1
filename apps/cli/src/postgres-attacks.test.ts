import { LetheError } from "@lethe/core";
import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Lethe, open } from "./index.ts";
import { inFolder, lethe } from "./testing/command-line.ts";

/*
 * Attacks on PostgreSQL from end to end: texts of a question that try to reach the server, connections that end in the middle of one,
 * and more questions at once than the budget holds. ATTACKS=5000 sends as many hostile texts.
 */

const many = Number(process.env.ATTACKS ?? 150);
const firstSeed = Number(process.env.ATTACKS_SEED ?? 1);

const policyOf = (epsilon: number): string => `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: postgres, url_env: LETHE_TEST_ATTACKED }
tables:
  visits:
    unit: id
    max_groups_contributed: 1
    columns: { id: { type: integer }, ward: { type: text }, note: { type: text }, cost: { type: number, bounds: [0, 100] } }
budget: { measure: approximate, epsilon: ${epsilon}, delta: 1e-3 }
defaults: { epsilon: 0.001, delta: 1e-9 }
`;

/** Ends, quotes and escapes of every grammar that the text may meet on its way. */
const ends = [
  ...[
    "'",
    "''",
    '"',
    '""',
    "\\'",
    "\\",
    "$$",
    "$1",
    "$a$",
    "`",
    ";",
    "--",
    "/*",
    "*/",
    "\u0000",
    "\u0001",
    "\u00a0",
  ],
  ...[
    "E'",
    "U&'\\0027",
    'u&"',
    "B'1",
    "X'0",
    "%",
    "%s",
    "{0}",
    ")",
    "(",
    "\n",
    "\r",
    "\u2028",
    "😀",
    "\ud800",
    "NULL",
    "::text",
  ],
];
const payloads = [
  ...["DROP TABLE visits", "DELETE FROM visits", "COPY visits TO '/tmp/x'", "SET ROLE postgres", "COMMIT"],
  ...["SELECT pg_sleep(9)", "pg_terminate_backend(1)", "UNION SELECT note FROM visits", "OR 1=1", "LISTEN x"],
];
const canary = "zqcanary";

/** Text of chance with a canary, which no statement may hold but inside a quoted literal. */
function hostile(dice: (sides: number) => number): string {
  const end = (): string => ends[dice(ends.length)]!;
  return `${end()}${end()}${canary} ${payloads[dice(payloads.length)]}${end()}${canary}${end()}`;
}

const forms: readonly ((text: string) => readonly [string, (readonly string[])?])[] = [
  (text) => [`SELECT COUNT(*) FROM visits WHERE ward = '${text.replaceAll("'", "''")}'`],
  (text) => [`SELECT COUNT(*) FROM visits WHERE ward = '${text}'`],
  (text) => [`SELECT COUNT(*) FROM visits WHERE note LIKE '%${text.replaceAll("'", "''")}_'`],
  (text) => ["SELECT COUNT(*) FROM visits WHERE ward || $1 = $1 OR strpos(note, $1) > 2", [text]],
  (text) => [`SELECT replace(ward, $1, 'x'), COUNT(*) FROM visits GROUP BY 1`, [text]],
  (text) => [`SELECT COUNT(*) AS "${text.replaceAll('"', '""')}" FROM visits`],
  (text) => [`SELECT COUNT(*) FROM visits /* ${text} */`],
  (text) => [`SELECT COUNT(*) FROM visits -- ${text}`],
  (text) => [`SELECT COUNT(*) FROM visits; ${text}`],
  (text) => [`SELECT COUNT(*) FROM "${text}"`],
  (text) => [`SELECT SUM("${text}") FROM visits`],
  (text) => [`SELECT ${text}(cost) FROM visits`],
  (text) => [
    `WITH "${text.replaceAll('"', '""')}" AS (SELECT * FROM visits) SELECT COUNT(*) FROM "${text.replaceAll('"', '""')}"`,
  ],
  (text) => [
    `SELECT CASE WHEN cost > 3 THEN '${text.replaceAll("'", "''")}' ELSE 'b' END, COUNT(*) FROM visits GROUP BY 1`,
  ],
  (text) => [text],
];

describe.skipIf(!hasPostgres())("attacks on PostgreSQL", () => {
  let server: PostgresServer;
  let admin: pg.Client;
  /** Beside a transaction of the other, in which what other backends do would stand still. */
  let beside: pg.Client;
  beforeAll(async () => {
    server = await startPostgres({ log_min_duration_statement: "0", log_parameter_max_length: "0" });
    admin = new pg.Client({ connectionString: server.url });
    beside = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await beside.connect();
    await admin.query(`CREATE TABLE visits (id integer, ward text, note text, cost float8);
      INSERT INTO visits SELECT i, 'w' || i % 3, 'n', i % 50 FROM generate_series(1, 300) AS i;
      CREATE ROLE lethe LOGIN; GRANT SELECT ON visits TO lethe`);
    process.env.LETHE_TEST_ATTACKED = server.urlOf("lethe");
  });
  afterAll(async () => {
    delete process.env.LETHE_TEST_ATTACKED;
    await beside.end();
    await admin.end();
    await server.stop();
  });

  async function withLethe(epsilon: number, use: (house: Lethe) => Promise<void>): Promise<void> {
    await inFolder({ "lethe.yaml": policyOf(epsilon) }, async () => {
      expect(await lethe("init")).toMatchObject({ error: "", code: null });
      const house = await open("lethe.yaml");
      try {
        await use(house);
      } finally {
        await house.close();
      }
    });
  }
  /**
   * The mark up to which the server's log was read. `written` returns what the server wrote since, from a statement's first line on; the log comes
   * through a pipe, so it is waited for.
   */
  let last = "ready to accept connections";
  async function written(mark: string): Promise<string> {
    await admin.query(`SELECT 1 AS ${mark}`);
    while (!server.log().includes(`SELECT 1 AS ${mark}`))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const log = server.log();
    const from = log.lastIndexOf(last);
    last = `SELECT 1 AS ${mark}`;
    expect(from, "the log holds all of it").toBeGreaterThanOrEqual(0);
    return log.slice(from);
  }
  const rows = async (): Promise<number> => (await admin.query("SELECT FROM visits")).rowCount!;
  /** Runs work on a connection that goes away with its server. */
  async function asAdmin<T>(own: PostgresServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: own.url });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  /** Returns the process that answers Lethe, once it waits for a lock. */
  const waiting = (own: PostgresServer): Promise<number> =>
    asAdmin(own, async (client) => {
      const find = "SELECT pid FROM pg_stat_activity WHERE usename = 'lethe' AND wait_event_type = 'Lock'";
      for (;;) {
        const { rows: found } = await client.query<{ readonly pid: number }>(find);
        if (found[0]) return found[0].pid;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  const codeOf = (error: unknown): string =>
    error instanceof LetheError ? error.code : `not ours: ${error}`;

  it(`no text of a question reaches the server but as a literal: ${many} texts`, () =>
    withLethe(1000, async (house) => {
      let state = firstSeed;
      const dice = (sides: number): number => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
        return (state >>> 8) % sides;
      };
      const ended = new Map<string, number>();
      let literals = 0;
      for (let n = 0; n < many; n += 1) {
        const [text, params] = forms[n % forms.length]!(hostile(dice));
        const end = await house.query(text, params ? { params } : {}).then(() => "answered", codeOf);
        ended.set(end, (ended.get(end) ?? 0) + 1);
        if (n % 20 !== 19 && n !== many - 1) continue;
        const said = await written(`batch_${n}`);
        literals += said.split(canary).length - 1;
        expect(said.replaceAll(/'(?:[^']|'')*'/g, "''")).not.toContain(canary);
      }
      expect([...ended.keys()].filter((end) => !/^(answered|query\.|parameter\.)/.test(end))).toEqual([]);
      expect(ended.get("answered")).toBeGreaterThan(many / 5);
      expect(literals).toBeGreaterThan(many / 5);
      expect(await rows()).toBe(300);
      if (process.env.ATTACKS) console.log(`hostile texts: ${many}: ${JSON.stringify([...ended])}`);
    }));

  it("a question whose server goes away keeps its charge, says one constant, and is answered again for nothing", () =>
    withLethe(10, async (house) => {
      const spent = async (): Promise<string> =>
        JSON.stringify((await house.budget()).spent, (_, part) =>
          typeof part === "bigint" ? String(part) : part,
        );
      const ways = ["pg_terminate_backend", "pg_cancel_backend"];
      const said: string[] = [];
      for (const [n, way] of ways.entries()) {
        await admin.query("BEGIN; LOCK TABLE visits IN ACCESS EXCLUSIVE MODE");
        const before = await spent();
        const ask = (): Promise<unknown> =>
          house.query("SELECT COUNT(*) FROM visits", { epsilon: 0.5, requestId: `ended-${n}` });
        const asked = ask().catch((error: LetheError) => error);
        const end = `SELECT ${way}(pid) FROM pg_stat_activity WHERE usename = 'lethe' AND wait_event_type = 'Lock'`;
        while ((await beside.query(end)).rowCount === 0)
          await new Promise((resolve) => setTimeout(resolve, 20));
        const error = (await asked) as LetheError;
        await admin.query("COMMIT");
        expect(error).toMatchObject({ code: "engine.failed" });
        said.push(`${error.message}|${error.fix}|${JSON.stringify(error.fields)}`);
        const charged = await spent();
        expect(charged).not.toBe(before);
        expect(await ask()).toMatchObject({ rows: [expect.anything()] });
        expect(await spent()).toBe(charged);
      }
      expect(new Set(said).size).toBe(1);
    }));

  it.each([
    ["crashes", "SIGKILL of the backend: the server ends every other, and starts again"],
    ["is stopped", "the whole server goes, and another one with the same rows takes its place"],
  ])(
    "a question whose server %s keeps its charge, says the same constant, and is answered again for nothing",
    async (way) => {
      const rowsOfOne = `CREATE TABLE visits (id integer, ward text, note text, cost float8);
      INSERT INTO visits SELECT i, 'w' || i % 3, '${canary}', i FROM generate_series(1, 300) AS i;
      CREATE ROLE lethe LOGIN; GRANT SELECT ON visits TO lethe`;
      const servers = new Set<PostgresServer>();
      const started = async (): Promise<PostgresServer> => {
        const own = await startPostgres();
        servers.add(own);
        await asAdmin(own, (client) => client.query(rowsOfOne));
        process.env.LETHE_TEST_ATTACKED = own.urlOf("lethe");
        return own;
      };
      try {
        const own = await started();
        await inFolder({ "lethe.yaml": policyOf(10) }, async () => {
          expect(await lethe("init")).toMatchObject({ error: "", code: null });
          const ask = async (): Promise<unknown> => {
            const house = await open("lethe.yaml");
            try {
              return await house
                .query("SELECT COUNT(*) FROM visits", { epsilon: 0.5, requestId: "ended" })
                .catch((error: unknown) => error);
            } finally {
              await house.close();
            }
          };
          const spent = async (): Promise<string> =>
            JSON.stringify(JSON.parse((await lethe("budget", "--format", "json")).out).spent);
          const before = await spent();
          const asked = await asAdmin(own, async (client) => {
            await client.query("BEGIN; LOCK TABLE visits IN ACCESS EXCLUSIVE MODE");
            const answer = ask();
            const pid = await waiting(own);
            if (way === "crashes") process.kill(pid, "SIGKILL");
            else {
              servers.delete(own);
              await own.stop();
            }
            return answer;
          });
          expect(asked).toMatchObject({
            code: "engine.failed",
            message: "the database could not answer; details are in the owner's log",
          });
          expect(
            `${(asked as LetheError).fix} ${JSON.stringify((asked as LetheError).fields)}`,
          ).not.toContain(canary);
          const charged = await spent();
          expect(charged).not.toBe(before);
          if (way === "is stopped") {
            expect(await ask()).toMatchObject({ code: "engine.source" });
            await started();
          }
          let again = await ask();
          // A server that starts again refuses connections until it has.
          for (let tries = 0; again instanceof LetheError && tries < 100; tries += 1) {
            expect(again.code).toBe("engine.source");
            await new Promise((resolve) => setTimeout(resolve, 100));
            again = await ask();
          }
          expect(again).toMatchObject({ rows: [expect.anything()] });
          expect(JSON.stringify(again)).not.toContain(canary);
          expect(await spent()).toBe(charged);
          expect(await lethe("ledger", "verify")).toMatchObject({ code: null });
        });
      } finally {
        process.env.LETHE_TEST_ATTACKED = server.urlOf("lethe");
        for (const own of servers) await own.stop();
      }
    },
  );

  it("what is asked at once is answered as long as the budget lasts, and never beyond", () =>
    withLethe(1, async (house) => {
      const asked = Array.from({ length: 16 }, () =>
        house.query("SELECT COUNT(*) FROM visits", { epsilon: 0.1 }).then(() => "answered", codeOf),
      );
      const ended = await Promise.all(asked);
      expect(ended.filter((end) => end === "answered").length).toBe(10);
      expect(ended.filter((end) => end === "ledger.budget").length).toBe(6);
    }));
});
