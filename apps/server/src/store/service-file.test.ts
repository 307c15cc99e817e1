import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { contractRecord } from "../../../../testing/src/contracts/audit-log-contract.ts";
import { contractPerson } from "../../../../testing/src/contracts/people-store-contract.ts";
import { contractSession } from "../../../../testing/src/contracts/session-store-contract.ts";
import { createServiceFile, openServiceFile } from "./service-file.ts";
import { addContractPerson as add, serviceStoreContract } from "./testing/service-store-contract.ts";

/** Makes a file what version 1 of its tables was. */
const asVersion1 = "DROP TABLE dashboard_readers; DROP TABLE dashboards; PRAGMA user_version = 1";

const parent = mkdtempSync(join(tmpdir(), "lethe-service-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let made = 0;
const freshPath = (): string => {
  made += 1;
  return join(parent, `service #${made}?.db`);
};

serviceStoreContract("a SQLite file", async () => {
  const path = freshPath();
  return {
    open: () => (existsSync(path) ? openServiceFile(path) : createServiceFile(path, randomBytes)),
    dispose: async () => undefined,
  };
});

const unreadable = expect.objectContaining({ code: "people.unreadable" });

describe("the service's file", () => {
  it("keeps what was written, for its owner's eyes alone", async () => {
    const path = freshPath();
    const file = await createServiceFile(path, randomBytes);
    await add(file.people, "Ada", 1);
    await file.audit.write([contractRecord(0)]);
    const modes = new Map(["", "-wal"].map((end) => [end, statSync(path + end).mode & 0o777]));
    await file.close();
    const again = await openServiceFile(path);
    expect(again.secret).toEqual(file.secret);
    expect(new Set(again.secret).size).toBeGreaterThan(8);
    expect(await again.people.list()).toEqual([contractPerson("Ada", 1)]);
    expect(await again.audit.page(null, 9)).toHaveLength(1);
    await again.close();
    expect(readFileSync(path, "latin1")).toContain("SCRAM-SHA-256$4096:");
    for (const end of ["", "-wal"]) expect(modes.get(end), end).toBe(0o600);
  });

  it("opens where its tokens were written before they had verifiers", async () => {
    const path = freshPath();
    const file = await createServiceFile(path, randomBytes);
    await add(file.people, "ada", 1);
    await file.close();
    execute(path, "UPDATE people SET content = json_remove(content, '$.tokens[0].verifier')");
    const again = await openServiceFile(path);
    const ada = contractPerson("ada", 1);
    const tokens = ada.tokens.map((token) => ({ ...token, verifier: null }));
    expect(await again.people.byName("ada")).toEqual({ ...ada, tokens });
    await again.close();
  });

  it("keeps no more sessions than it must: of too many those go that were used least lately", async () => {
    const path = freshPath();
    const { sessions, close } = await createServiceFile(path, randomBytes).then((file) => ({
      sessions: file.sessions,
      close: () => file.close(),
    }));
    const month = 30 * 24 * 3_600_000;
    const old = contractSession(0);
    await sessions.add(old);
    close();
    const db = new DatabaseSync(path);
    const insert = db.prepare("INSERT INTO sessions VALUES (?, ?, 'bob', 'bob', 0, ?, ?)");
    const later = old.usedAt + 2 * month;
    db.exec("BEGIN");
    for (let number = 0; number < 10_000; number += 1)
      insert.run(`b${number}`.padStart(64, "0"), `${number}`, later, later + number);
    db.exec("COMMIT");
    db.close();
    const again = await openServiceFile(path);
    const last = { ...contractSession(2), startedAt: later, usedAt: later + 20_000 };
    await again.sessions.add(last);
    expect(await again.sessions.ofPerson("bob")).toHaveLength(9_999);
    expect(await again.sessions.get("b0".padStart(64, "0"))).toBeNull();
    expect(await again.sessions.get(last.hash)).toEqual(last);
    await again.close();
  });

  it("is created once, and never by opening", async () => {
    const path = freshPath();
    await expect(openServiceFile(path)).rejects.toEqual(unreadable);
    expect(existsSync(path)).toBe(false);
    (await createServiceFile(path, randomBytes)).close();
    await expect(createServiceFile(path, randomBytes)).rejects.toEqual(unreadable);
    await expect(createServiceFile(join(freshPath(), "service.db"), randomBytes)).rejects.toEqual(unreadable);
  });

  it("is refused where it is another file, and left as it is", async () => {
    const text = freshPath();
    writeFileSync(text, "not a database\n".repeat(200));
    const foreign = freshPath();
    const db = new DatabaseSync(foreign);
    db.exec("CREATE TABLE people (x)");
    db.close();
    for (const path of [text, foreign]) {
      const before = readFileSync(path);
      await expect(openServiceFile(path)).rejects.toEqual(unreadable);
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  it.each<[string, (path: string) => void]>([
    ["of another version", (path) => execute(path, "PRAGMA user_version = 3")],
    ["of version 1 with a further table", (path) => execute(path, `${asVersion1}; CREATE TABLE more (x)`)],
    ["without a trigger", (path) => execute(path, "DROP TRIGGER audit_stays")],
    ["with a further table", (path) => execute(path, "CREATE TABLE more (x)")],
    ["without its secret", (path) => execute(path, "DELETE FROM secret")],
    ["cut off", (path) => truncateSync(path, 5000)],
    [
      "with a role that is none",
      (path) => execute(path, "UPDATE people SET content = replace(content, 'owner', 'root')"),
    ],
    [
      "with a verifier that is none",
      (path) => execute(path, "UPDATE people SET content = replace(content, 'SCRAM', 'CRAM')"),
    ],
  ])("%s is refused", async (_, spoil) => {
    const path = freshPath();
    const file = await createServiceFile(path, randomBytes);
    await add(file.people, "ada", 1);
    await file.close();
    spoil(path);
    const reading = openServiceFile(path).then((opened) =>
      opened.people.list().finally(() => opened.close()),
    );
    await expect(reading).rejects.toEqual(unreadable);
  });

  it("of version 1 gets what it lacks, and keeps its people", async () => {
    const path = freshPath();
    const file = await createServiceFile(path, randomBytes);
    await add(file.people, "ada", 1);
    await file.close();
    execute(path, asVersion1);
    for (let turn = 0; turn < 2; turn += 1) {
      const opened = await openServiceFile(path);
      expect((await opened.people.list()).map(({ name }) => name)).toEqual(["ada"]);
      expect(await opened.dashboards.visibleTo("ada")).toEqual([]);
      await opened.close();
    }
  });

  it("has the first version of dashboards that were kept before they had any", async () => {
    const path = freshPath();
    const file = await createServiceFile(path, randomBytes);
    const dashboard = {
      id: "d",
      person: "ada",
      version: 1,
      changedAt: 1,
      name: "D",
      questions: [],
      readers: [],
    };
    expect(await file.dashboards.put(dashboard)).toBe("kept");
    file.close();
    execute(path, "UPDATE dashboards SET content = json_remove(content, '$.version')");
    const opened = await openServiceFile(path);
    expect(await opened.dashboards.byId("d")).toEqual(dashboard);
    expect(await opened.dashboards.put({ ...dashboard, version: 2 })).toBe("kept");
    expect(await opened.dashboards.put({ ...dashboard, version: 2 })).toBe("changed meanwhile");
    opened.close();
  });

  it("says so when another process keeps the lock, and changes nothing", async () => {
    const path = freshPath();
    const file = await createServiceFile(path, randomBytes, { lockTimeoutMs: 20 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    await expect(add(file.people, "ada", 1)).rejects.toEqual(unreadable);
    other.exec("ROLLBACK");
    expect(await file.people.list()).toEqual([]);
    expect(await add(file.people, "ada", 1)).toBe(true);
    other.close();
    await file.close();
  });

  it("keeps its people and its audit log from being removed", async () => {
    const path = freshPath();
    const file = await createServiceFile(path, randomBytes);
    await add(file.people, "ada", 1);
    await file.audit.write([contractRecord(0)]);
    await file.close();
    for (const sql of ["DELETE FROM people", "DELETE FROM audit", "UPDATE audit SET content = ''"])
      expect(() => execute(path, `PRAGMA foreign_keys = OFF; ${sql}`), sql).toThrow(
        /append only|never removed/,
      );
  });
});

function execute(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}
