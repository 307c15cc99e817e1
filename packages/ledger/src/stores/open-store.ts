import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { fileError, systemCode } from "../directory/file-error.ts";
import { flushNames } from "../directory/flush-names.ts";
import { type Layout, layout } from "../directory/layout.ts";
import { placeUrl, readPostgresUrl } from "./postgres/place.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";
import { openSqliteStore, readSqliteFile } from "./sqlite/sqlite-store.ts";
import type { Contents, Store } from "./store.ts";

/** Returns the files of a ledger that is there, in a file or elsewhere. Errors: ledger.missing; ledger.unreadable when a permission hides whether there is one. */
export function existingLayout(directory: string): Layout {
  const files = layout(resolve(directory));
  if (isThere(files.url) || isThere(files.database)) return files;
  throw new LetheError("ledger.missing", `there is no ledger in ${resolve(directory)}`, {
    fix: "create one with lethe init; if there was one, restore it from a backup: a new one forgets what was spent",
    fields: { path: files.database },
  });
}

/** Returns the URL of a ledger's records; null where they lie in a file of its directory. Errors: ledger.unreadable. */
export function storeUrl({ url }: Layout): string | null {
  try {
    return readFileSync(url, "utf8").trim();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw fileError(url, error);
  }
}

/** Writes down where a ledger's records are, durably. Errors: parameter.invalid; ledger.unreadable. */
export function writeUrl({ url: path }: Layout, url: string): void {
  const text = `${placeUrl(readPostgresUrl(url))}\n`;
  const next = `${path}.new`;
  try {
    writeFileSync(next, text, { mode: 0o600, flush: true });
    renameSync(next, path);
    flushNames(dirname(path), 1);
  } catch (error) {
    throw fileError(path, error);
  }
}

/** Opens the records of a ledger, wherever they are. Errors: those of openSqliteStore or openPostgresStore. */
export async function openStore(files: Layout): Promise<Store> {
  requireNames(files);
  const url = storeUrl(files);
  return url === null ? openSqliteStore(files.database) : openPostgresStore(url);
}

/** Reads the whole of a ledger, wherever and of whichever format it is, and whether the store's own structures are whole. Errors: as openStore. */
export async function readStore(
  files: Layout,
): Promise<{ readonly contents: Contents; readonly sound: boolean }> {
  const url = storeUrl(files);
  if (url === null) return readSqliteFile(files.database);
  const store = await openPostgresStore(url);
  try {
    return { sound: await store.sound(), contents: await store.readAll() };
  } finally {
    await store.close();
  }
}

function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return false;
    throw fileError(path, error);
  }
}

/** Makes the names of the ledger's files durable. Its maker may have been killed before that, and then no charge in it would be durable. */
function requireNames({ database }: Layout): void {
  try {
    // The directory of the ledger, the one it lies in, and that one's: lethe init makes .lethe and .lethe/ledger.
    flushNames(dirname(database), 3);
  } catch (error) {
    throw fileError(database, error);
  }
}
