import { LetheError } from "@lethe/core";
import { expect, it } from "vitest";
import { sqliteError } from "./sqlite-error.ts";

const coded = (errcode: number): Error => Object.assign(new Error("as SQLite says"), { errcode });

// Result codes from https://sqlite.org/rescode.html; an extended code has the primary one in its lowest eight bits.
it.each([
  [5, "ledger.busy", "is locked"],
  [261, "ledger.busy", "is locked"],
  [8, "ledger.unreadable", "may not be written"],
  [13, "ledger.unreadable", "does not fit on the disk"],
  [14, "ledger.unreadable", "cannot be opened"],
  [26, "ledger.unreadable", "is not a ledger"],
  [10, "ledger.unreadable", "cannot be read or written"],
  [1, "ledger.corrupt", "is damaged"],
  [4, "ledger.corrupt", "is damaged"],
  [11, "ledger.corrupt", "is damaged"],
  [19, "ledger.corrupt", "is damaged"],
  [20, "ledger.corrupt", "is damaged"],
  [522, "ledger.corrupt", "is damaged"],
  [21, "ledger.unreadable", "cannot be read or written"],
])("SQLite's result %d says that the ledger %s: it %s", (errcode, code, what) => {
  expect(sqliteError("a.db", coded(errcode))).toMatchObject({
    code,
    message: expect.stringContaining(`the ledger a.db ${what}`),
    fields: { path: "a.db", sqlite: errcode },
  });
});

it.each([
  ["database is locked", 5, "is locked"],
  ["attempt to write a readonly database", 8, "may not be written"],
  ["database disk image is malformed", 11, "is damaged"],
  ["database or disk is full", 13, "does not fit on the disk"],
  ["unable to open database file", 14, "cannot be opened"],
  ["file is not a database", 26, "is not a ledger"],
])("without a code SQLite's words are read: %s", (words, sqlite, what) => {
  expect(sqliteError("a.db", new Error(words))).toMatchObject({
    message: expect.stringContaining(what),
    fields: { sqlite },
  });
});

it("an error that is not the database's passes unchanged", () => {
  const ours = new LetheError("ledger.request", "of ours", { fix: "ask again" });
  const fault = new TypeError("a fault");
  expect(sqliteError("a.db", ours)).toBe(ours);
  expect(sqliteError("a.db", fault)).toBe(fault);
  expect(sqliteError("a.db", "no error")).toBe("no error");
  expect(sqliteError("a.db", Object.assign(new Error("driver"), { code: "ERR_STATE" }))).toMatchObject({
    code: "ledger.unreadable",
    fields: { sqlite: 0 },
  });
});
