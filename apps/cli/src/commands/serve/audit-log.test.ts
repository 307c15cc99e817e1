import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { inFolder, lethe } from "../../testing/command-line.ts";

const path = ".lethe/serve/service.sqlite";
const verify = (...more: string[]) => lethe("audit-log", "verify", ...more);

/** A log of some entries: each person is a fact, and so is each token. */
const withLog = (work: () => Promise<void>): Promise<void> =>
  inFolder({}, async () => {
    for (const name of ["ada", "bob", "cyd", "dee"])
      expect((await lethe("people", "add", name)).code).toBeNull();
    await work();
  });

interface Row {
  readonly sequence: number;
  readonly hash: string;
  readonly content: string;
}

/** Replaces the log in the file, as somebody might who can write it: the triggers are put back as they were. */
function rewrite(change: (rows: readonly Row[]) => readonly Row[]): void {
  const db = new DatabaseSync(path);
  const triggers = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  const rows = db.prepare("SELECT sequence, hash, content FROM audit ORDER BY sequence").all() as Row[];
  db.exec("DELETE FROM audit");
  const insert = db.prepare("INSERT INTO audit VALUES (?, ?, ?)");
  for (const { sequence, hash, content } of change(rows)) insert.run(sequence, hash, content);
  for (const { sql } of triggers) db.exec(String(sql));
  db.close();
}

/** Rows in new places, whose contents say so. */
const renumbered = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, sequence) => ({
    ...row,
    sequence,
    content: JSON.stringify({ ...JSON.parse(row.content), sequence }),
  }));

it("a log that holds is told with its entries and its head, and holds against that head later", () =>
  withLog(async () => {
    const first = await verify();
    expect(first.out).toMatch(/^8 facts: every hash holds\nhead 7:[0-9a-f]{64}$/);
    const head = first.out.split("head ")[1] ?? "";
    await lethe("people", "disable", "dee");
    expect((await verify("--head", head)).out).toMatch(/^9 facts: every hash holds\nhead 8:/);
  }));

it.each<[string, (rows: readonly Row[]) => readonly Row[], number]>([
  [
    "changed",
    (rows) =>
      rows.map((row, at) => (at === 3 ? { ...row, content: row.content.replace("bob", "eve") } : row)),
    3,
  ],
  ["removed", (rows) => rows.filter((_, at) => at !== 3), 3],
  ["removed, with the rest moved up", (rows) => renumbered(rows.filter((_, at) => at !== 3)), 3],
  ["removed at the beginning", (rows) => rows.slice(1), 0],
  ["in another order", (rows) => renumbered([...rows.slice(0, 3), rows[4]!, rows[3]!, ...rows.slice(5)]), 3],
  ["put in", (rows) => renumbered([...rows.slice(0, 3), rows[1]!, ...rows.slice(3)]), 3],
  ["added at the end", (rows) => [...rows, { ...rows[1]!, sequence: 8 }], 8],
  [
    "of another hash than it says",
    (rows) => rows.map((row, at) => (at === 7 ? { ...row, hash: "0".repeat(64) } : row)),
    7,
  ],
])("an entry that was %s is found", (_, change, at) =>
  withLog(async () => {
    rewrite(change);
    const said = await verify();
    expect(said).toMatchObject({ code: "log.corrupt", out: "" });
    expect(said.error).toContain(`the audit log does not hold at entry ${at}`);
  }),
);

it("entries that are gone from the end are found by a head that was kept, and by nothing else", () =>
  withLog(async () => {
    const head = (await verify()).out.split("head ")[1] ?? "";
    rewrite((rows) => rows.slice(0, 5));
    expect((await verify()).out).toMatch(/^5 facts/);
    expect((await verify("--head", head)).code).toBe("log.corrupt");
    // A log that was written anew up to there is another one.
    await lethe("people", "disable", "ada");
    await lethe("people", "token", "ada");
    for (const name of ["x", "y"]) await lethe("people", "add", name);
    expect((await verify()).code).toBeNull();
    expect((await verify("--head", head)).code).toBe("log.corrupt");
  }));

it("makes no file where there is none, and takes no head that is none", () =>
  inFolder({}, async () => {
    expect(await verify()).toMatchObject({ code: "people.unreadable", out: "" });
    expect(await verify()).toMatchObject({ code: "people.unreadable", out: "" });
    expect(await verify("--head", "0")).toMatchObject({ code: "cli.usage" });
  }));
