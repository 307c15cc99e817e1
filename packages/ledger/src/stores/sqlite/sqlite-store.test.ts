import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeContract } from "@lethe/testing";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, describe, expect, it } from "vitest";
import type { Store } from "../store.ts";
import { createSqliteStore, openSqliteStore } from "./sqlite-store.ts";

const parent = mkdtempSync(join(tmpdir(), "lethe-store-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let made = 0;

function freshPath(): string {
  made += 1;
  return join(parent, `store #${made}?.db`);
}

storeContract("sqlite", async () => {
  const path = freshPath();
  const handles: Store[] = [await createSqliteStore(path)];
  return {
    store: handles[0]!,
    async open() {
      const handle = await openSqliteStore(path);
      handles.push(handle);
      return handle;
    },
    async dispose() {
      for (const handle of handles) await handle.close();
    },
  };
});

describe("a SQLite file", () => {
  it("is created once and never by opening", async () => {
    const path = freshPath();
    await expect(openSqliteStore(path)).rejects.toMatchObject({ code: "ledger.unreadable" });
    expect(existsSync(path)).toBe(false);
    await (await createSqliteStore(path)).close();
    const size = statSync(path).size;
    await expect(createSqliteStore(path)).rejects.toMatchObject({ code: "ledger.exists" });
    expect(statSync(path).size).toBe(size);
  });

  it("where there is no directory for it is a coded error", async () => {
    const made = createSqliteStore(join(freshPath(), "ledger.db"));
    await expect(made).rejects.toMatchObject({ code: "ledger.unreadable" });
  });

  it("that is closed is not called unsound: nobody looked", async () => {
    const store = await createSqliteStore(freshPath());
    await expect(store.sound()).resolves.toBe(true);
    await store.close();
    await expect(store.sound()).rejects.toMatchObject({ code: "ledger.unreadable" });
  });

  it("is refused when it is no ledger, and left as it is", async () => {
    const text = freshPath();
    writeFileSync(text, "not a database\n".repeat(200));
    const empty = freshPath();
    writeFileSync(empty, "");
    const foreign = freshPath();
    const db = new DatabaseSync(foreign);
    db.exec("CREATE TABLE records (sequence INTEGER PRIMARY KEY)");
    db.close();
    const directory = freshPath();
    mkdirSync(directory);
    for (const path of [text, empty, foreign, directory]) {
      const before = statSync(path);
      await expect(openSqliteStore(path), path).rejects.toMatchObject({ code: "ledger.unreadable" });
      expect(statSync(path).size).toBe(before.size);
      expect(existsSync(`${path}-wal`)).toBe(false);
    }
  });

  it("of another version, with other tables, or cut off is refused", async () => {
    const spoil = async (how: (path: string) => void): Promise<unknown> => {
      const path = freshPath();
      await (await createSqliteStore(path)).close();
      how(path);
      try {
        const store = await openSqliteStore(path);
        await store.readAll().finally(() => store.close());
        return null;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const execute = (sql: string) => (path: string) => {
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
    };
    expect(await spoil(execute("PRAGMA user_version = 4"))).toBe("ledger.unreadable");
    // The version of a ledger that was moved, without the place that it was moved to.
    expect(await spoil(execute("PRAGMA user_version = 3"))).toBe("ledger.corrupt");
    expect(await spoil(execute("PRAGMA user_version = 1"))).toBe("ledger.unreadable");
    expect(await spoil(execute("DROP TRIGGER records_stay"))).toBe("ledger.corrupt");
    expect(await spoil(execute("CREATE TABLE more (x)"))).toBe("ledger.corrupt");
    expect(await spoil((path) => truncateSync(path, 5000))).toBe("ledger.corrupt");
    expect(await spoil((path) => truncateSync(path, 50))).toBe("ledger.unreadable");
  });

  it("says that it is busy when another process keeps the lock", async () => {
    const path = freshPath();
    const store = await createSqliteStore(path, { lockTimeoutMs: 20 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.transact(null, () => ({ append: null, result: 1 }))).rejects.toMatchObject({
      code: "ledger.busy",
    });
    expect((await store.readAll()).records).toEqual([]);
    other.exec("ROLLBACK");
    expect(await store.transact(null, () => ({ append: null, result: 1 }))).toBe(1);
    other.close();
    await store.close();
  });

  it("keeps its records and releases from being changed or removed", async () => {
    const path = freshPath();
    const store = await createSqliteStore(path);
    const record = { sequence: 0, at: 1, kind: "genesis", payload: "{}" };
    const hash = "0".repeat(64);
    await store.transact(null, () => ({
      append: {
        record: { ...record, balance: hash, previous: hash, hash },
        balance: "",
        nodes: new Map(),
        release: new Uint8Array([1]),
      },
      result: null,
    }));
    await store.close();
    const db = new DatabaseSync(path);
    for (const sql of [
      "UPDATE records SET at = 2",
      "DELETE FROM records",
      "UPDATE releases SET bytes = x'00'",
      "DELETE FROM releases",
    ]) {
      expect(() => db.exec(sql), sql).toThrow("append only");
    }
    db.close();
  });

  const zeros = "0".repeat(64);
  const first = {
    sequence: 0,
    at: 1,
    kind: "genesis",
    payload: "{}",
    balance: zeros,
    previous: zeros,
    hash: zeros,
  };
  const append = (store: Store, sequence: number, release: Uint8Array | null = null): Promise<null> =>
    store.transact(null, () => ({
      append: { record: { ...first, sequence }, balance: "text", nodes: new Map([["", "node"]]), release },
      result: null,
    }));

  it("begins with record 0, and holds each record, release and balance where it was put", async () => {
    const store = await createSqliteStore(freshPath());
    for (const sequence of [1, 7])
      await expect(append(store, sequence)).rejects.toMatchObject({
        code: "ledger.corrupt",
        fields: { sequence },
      });
    expect(await store.look(null, ({ head, balance, node }) => [head, balance, node("")])).toEqual([
      null,
      null,
      null,
    ]);
    await append(store, 0, new Uint8Array([1, 2, 3]));
    expect(await store.record(0)).toEqual(first);
    expect(await store.record(1)).toBeNull();
    // sha256 of the bytes 01 02 03
    const hash = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81";
    expect(await store.readAll()).toEqual({
      records: [first],
      balance: "text",
      nodes: new Map([["", "node"]]),
      releases: new Map([[0, hash]]),
    });
    await store.close();
  });

  it("holds nothing of a decision that failed as it was written, and all of those beside it", async () => {
    const store = await createSqliteStore(freshPath());
    const noBytes = "no bytes" as unknown as Uint8Array;
    const broken = append(store, 0, { toString: () => noBytes } as never);
    const whole = append(store, 0);
    await expect(broken).rejects.toMatchObject({ code: "ledger.unreadable" });
    await whole;
    const { records, releases } = await store.readAll();
    expect([records, releases.size]).toEqual([[first], 0]);
    await store.close();
  });

  it("is whole without its log once it is closed", async () => {
    const path = freshPath();
    const store = await createSqliteStore(path);
    await append(store, 0);
    await store.close();
    const copy = freshPath();
    copyFileSync(path, copy);
    const again = await openSqliteStore(copy);
    expect((await again.readAll()).records).toEqual([first]);
    await again.close();
  });

  it("is unsound where another has given it a table, or a release without a record", async () => {
    for (const sql of ["CREATE TABLE more (x)", "INSERT INTO releases (sequence, bytes) VALUES (9, x'00')"]) {
      const path = freshPath();
      const store = await createSqliteStore(path);
      expect(await store.sound()).toBe(true);
      const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
      db.exec(sql);
      db.close();
      expect(await store.sound(), sql).toBe(false);
      await store.close();
    }
  });
});
