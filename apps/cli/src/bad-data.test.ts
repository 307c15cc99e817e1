import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder, lethe, peopleCsv, secret, setUp } from "./testing/command-line.ts";

const count = "SELECT COUNT(*) FROM people";

/** Well-formed lines whose values are not what the policy says. Each is somebody's row. */
const hostileLines: readonly string[] = [
  "NULL,NaN,1",
  "NaN,construction,2",
  "Infinity,other,3",
  "-inf,other,4",
  "1e400,other,5",
  "-1e400,other,6",
  "twelve,other,7",
  "0x10,other,8",
  " 5 ,other,9",
  "5e-324,other,10",
  "",
  ",,",
  '"1""2","a\nb",c',
  `1,other,${"x".repeat(1_000_000)}`,
  "999999999999999999999999999999,other,x",
  "2,\u001b[31mother,\u202ex",
];

describe("a hostile CSV", () => {
  it("never makes a question fail: odd values become NULL", () =>
    inFolder({ "people.csv": `wage,sector,city\n${hostileLines.join("\n")}\n` }, async () => {
      await lethe("init", "people.csv", "--unit", "row", "--bounds", "wage=0..60", "--epsilon", "2000");
      const imported = await lethe("import");
      expect(imported.code).toBeNull();
      // An empty line is no record.
      expect(imported.out).toMatch(/^people: 15 rows frozen into/);
      // Of 14 cells that hold something 5 are wages; every text is a city.
      expect(imported.out).toContain("\nwage: NULL in place of 9 values that the policy does not allow\n");
      expect(imported.out).not.toMatch(/\n(?:sector|city): /);
      for (const sql of [
        "SELECT COUNT(*), COUNT(wage), SUM(wage), AVG(wage), STDDEV(wage), VARIANCE(wage) FROM people",
        "SELECT SUM(CASE WHEN wage > 5 THEN CAST(city AS integer) ELSE 0 END) FROM people WHERE wage IS NOT NULL",
        "SELECT COUNT(*) FROM people WHERE CAST(city AS double precision) > 1 AND ln(wage) < 3",
        "SELECT city, COUNT(*) FROM people GROUP BY city",
      ]) {
        const said = await lethe("query", sql, "--epsilon", "1", "--delta", "1e-8");
        expect(said.error).toMatch(/^$|query\.missing-bounds/);
      }
      // Numbers: 1e400 and the like are none; " 5 ", the tiny one, 1, the one of thirty digits and 2 are.
      const asked = ["query", "SELECT COUNT(wage) AS n FROM people", "--epsilon", "1000", "--format", "csv"];
      expect((await lethe(...asked)).out).toMatch(/^n,n_lower,n_upper\n5,5,5$/);
    }));

  it("shows no key raw, whatever it holds", () =>
    inFolder(
      {
        "people.csv": `wage,sector,city\n${'1,a,\u001b[31m=1+1\u202e\u009b""'.replace("1,a,", '1,a,"').concat('"\n').repeat(300)}`,
      },
      async () => {
        await lethe("init", "people.csv", "--unit", "row", "--epsilon", "2000");
        expect((await lethe("import")).code).toBeNull();
        const sql = "SELECT city, COUNT(*) FROM people GROUP BY city";
        const table = await lethe("query", sql, "--epsilon", "100", "--delta", "1e-7", "--request", "x");
        expect(table.out).toContain('\\u{1b}[31m=1+1\\u{202e}\\u{9b}"');
        const json = await lethe(
          "query",
          sql,
          "--epsilon",
          "100",
          "--delta",
          "1e-7",
          "--request",
          "x",
          "--format",
          "json",
        );
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
        expect(`${table.out}${json.out}`).not.toMatch(/[\u0000-\u0009\u001b\u007f-\u009f\u202e]/);
        expect(JSON.parse(json.out).rows[0][0]).toBe('\u001b[31m=1+1\u202e\u009b"');
        // Into a file or a program a key goes as it is, and onto a terminal in neither format.
        const csv = [
          "query",
          sql,
          "--epsilon",
          "100",
          "--delta",
          "1e-7",
          "--request",
          "x",
          "--format",
          "csv",
        ];
        expect((await lethe(...csv)).out).toContain('\n"\u001b[31m=1+1\u202e\u009b""",');
        const { isTTY } = process.stdout;
        try {
          process.stdout.isTTY = true;
          expect((await lethe(...csv)).out).toContain('\n"\\u{1b}[31m=1+1\\u{202e}\\u{9b}""",');
        } finally {
          process.stdout.isTTY = isTTY;
        }
      },
    ));

  it.each<[string, string | Uint8Array]>([
    ["too few fields", "42.731\n"],
    ["too many fields", "42.731,Secretville1,x,y\n"],
    ["an open quote", '42.731,Secretville1,"x\n1,2,3\n'],
    ["a stray quote", '42.731,Secret"ville,x\n'],
    ["text behind a quote", '42.731,"Secretville"1,x\n'],
    ["bytes that are no UTF-8", Buffer.from("42.731,Secretville1,\xff\xfe\n", "latin1")],
    ["a lone carriage return", "42.731,Secretville1\r,x\n"],
    ["a record of megabytes", `42.731,Secretville1,${"x".repeat(3_000_000)}\n`],
  ])("with %s is refused by line, before anything is frozen", (_, line) =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      const snapshots = readdirSync(".lethe/snapshots");
      writeFileSync(
        "people.csv",
        Buffer.concat([Buffer.from("wage,sector,city\n1,other,x\n"), Buffer.from(line)]),
      );
      const said = await lethe("import");
      expect(said).toMatchObject({ code: "engine.source", out: "" });
      expect(said.error).toMatch(/people\.csv, line 3: .*\n {2}fix: \S/);
      expect(said.error).not.toMatch(secret);
      expect(readdirSync(".lethe/snapshots")).toEqual(snapshots);
    }),
  );

  it("may be nothing but a header", () =>
    inFolder({ "people.csv": "wage,sector,city\n" }, async () => {
      await setUp("--epsilon", "10");
      const sql = "SELECT sector, COUNT(*), AVG(wage), STDDEV(wage) FROM people GROUP BY sector";
      expect((await lethe("query", sql, "--epsilon", "1")).code).toBeNull();
    }));

  it.each<[string, string | null, string]>([
    ["is empty", "", "engine.source"],
    ["lost a column", "wage,city\n1,x\n", "engine.schema"],
    ["has other marks", "wage;sector;city\n1;x;y\n", "engine.schema"],
    ["is gone", null, "engine.source"],
  ])("that %s after init is refused, and the snapshot before it stays", (_, content, code) =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      const snapshots = readdirSync(".lethe/snapshots");
      if (content === null) rmSync("people.csv");
      else writeFileSync("people.csv", content);
      const said = await lethe("import");
      expect(said).toMatchObject({ code, out: "" });
      expect(said.error).not.toMatch(secret);
      expect(readdirSync(".lethe/snapshots")).toEqual(snapshots);
      expect((await lethe("query", count, "--epsilon", "1")).code).toBeNull();
    }),
  );

  it("is not asked before it is imported, nor after its snapshot was damaged; neither is charged", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      await lethe("init", "people.csv", "--unit", "row");
      expect(await lethe("query", count, "--epsilon", "1")).toMatchObject({
        code: "engine.not-imported",
        error: expect.stringContaining("fix: lethe import people.csv"),
      });
      await lethe("import");
      const folder = ".lethe/snapshots";
      const names = readdirSync(folder);
      for (const name of names) {
        const kept = readFileSync(join(folder, name));
        truncateSync(join(folder, name), 100);
        const said = await lethe("query", count, "--epsilon", "1");
        expect(said.code).toBe("engine.source");
        expect(said.error).not.toMatch(secret);
        rmSync(join(folder, name));
        expect(["engine.source", "engine.not-imported"]).toContain(
          (await lethe("query", count, "--epsilon", "1")).code,
        );
        writeFileSync(join(folder, name), kept);
      }
      expect(names.length).toBeGreaterThan(0);
      expect((await lethe("budget")).out).toContain("No charge yet.");
    }));
});

describe("a ledger that cannot be used", () => {
  const ledger = ".lethe/ledger";

  async function withLedger(use: (backup: string) => Promise<void>): Promise<void> {
    await inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      await lethe("query", count, "--epsilon", "1", "--request", "before");
      cpSync(ledger, "backup", { recursive: true });
      await use("backup");
      // Nothing was lost: the backup is as good as before.
      rmSync(ledger, { recursive: true, force: true });
      cpSync("backup", ledger, { recursive: true });
      expect((await lethe("ledger", "verify")).code).toBeNull();
      expect((await lethe("budget")).out).toContain("before");
    });
  }

  it.each<[string, (path: string) => void]>([
    ["cut short", (path) => truncateSync(path, 900)],
    ["empty", (path) => truncateSync(path, 0)],
    ["another file", (path) => writeFileSync(path, peopleCsv)],
    ["missing", (path) => rmSync(path)],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])("refuses every question where the database is %s, and never makes a new one", (_, damage) =>
    withLedger(async () => {
      damage(join(ledger, "ledger.db"));
      const before = existsSync(join(ledger, "ledger.db")) && statSync(join(ledger, "ledger.db")).size;
      for (const argv of [
        ["query", count, "--epsilon", "1"],
        ["budget"],
        ["budget", "grant", "--epsilon", "1", "--reason", "x"],
        ["ledger", "verify"],
        ["init"],
      ]) {
        const said = await lethe(...argv);
        expect(said.code).toMatch(/^ledger\.(missing|unreadable|corrupt|exists)$/);
        expect(said.error).toMatch(/fix: .*(backup|ledger that is there|permissions)/);
        expect(said.error).not.toMatch(secret);
        expect(said.out).toBe("");
      }
      expect(existsSync(join(ledger, "ledger.db")) && statSync(join(ledger, "ledger.db")).size).toBe(before);
    }),
  );

  it("refuses a foreign key, and a changed record", () =>
    withLedger(async (backup) => {
      writeFileSync(join(ledger, "ledger.key"), readFileSync(join(backup, "ledger.pub")));
      expect((await lethe("query", count, "--epsilon", "1")).code).toBe("ledger.unreadable");
      cpSync(join(backup, "ledger.key"), join(ledger, "ledger.key"));
      const path = join(ledger, "ledger.db");
      const bytes = readFileSync(path, "latin1");
      writeFileSync(path, bytes.replaceAll(count, "SELECT COUNT(*) FROM peoplf"), "latin1");
      expect((await lethe("ledger", "verify")).code).toBe("ledger.corrupt");
      expect((await lethe("budget")).code).toBe("ledger.corrupt");
    }));

  it("refuses an older copy, where the head was kept elsewhere", () =>
    withLedger(async (backup) => {
      await lethe("query", count, "--epsilon", "1");
      const head = /^head (.*)$/m.exec((await lethe("ledger", "verify")).out)![1]!;
      rmSync(ledger, { recursive: true });
      cpSync(backup, ledger, { recursive: true });
      expect((await lethe("ledger", "verify", "--head", head)).code).toBe("ledger.restored");
    }));

  it("refuses to answer from an older copy, where a file elsewhere keeps the head", () =>
    withLedger(async (backup) => {
      const kept = ["--head-file", "kept-head"];
      expect((await lethe("query", count, "--epsilon", "1", ...kept)).code).toBe("ledger.unreadable");
      expect((await lethe("ledger", "verify", ...kept)).code).toBeNull();
      expect((await lethe("query", count, "--epsilon", "1", ...kept)).code).toBeNull();
      const { out } = await lethe("budget", ...kept);
      expect(out).toContain(`Head ${readFileSync("kept-head", "utf8").trim()}\n`);
      rmSync(ledger, { recursive: true });
      cpSync(backup, ledger, { recursive: true });
      const commands = [
        ["query", count, "--epsilon", "1", ...kept],
        ["budget", ...kept],
        ["budget", "grant", "--epsilon", "1", "--reason", "more", ...kept],
        ["ledger", "verify", ...kept],
      ];
      for (const words of commands) expect((await lethe(...words)).code).toBe("ledger.restored");
      expect((await lethe("query", count, "--epsilon", "1")).code).toBeNull();
      rmSync("kept-head");
    }));

  it.skipIf(process.getuid?.() === 0)("names the permission that is missing", () =>
    withLedger(async () => {
      const { chmodSync } = await import("node:fs");
      chmodSync(join(ledger, "ledger.db"), 0o000);
      expect((await lethe("query", count, "--epsilon", "1")).code).toBe("ledger.unreadable");
      chmodSync(join(ledger, "ledger.db"), 0o600);
    }),
  );

  it("refuses a damaged seed", () =>
    withLedger(async () => {
      const seed = readFileSync(".lethe/seed");
      writeFileSync(".lethe/seed", "guess");
      const said = await lethe("query", count, "--epsilon", "1");
      expect(said).toMatchObject({ code: "ledger.unreadable", out: "" });
      expect(said.error).not.toContain("guess");
      writeFileSync(".lethe/seed", seed);
    }));
});
