import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasOwnedFolders, ownedFolder, sweepFolders } from "./owned-folder.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "lethe-owned-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** A folder as the process of this number would have made it, with a copy of data in it. */
function left(pid: number | string, where?: string, kind = "draft"): string {
  const own = ownedFolder(parent, "other");
  const place = where ?? basename(own.path).split("-")[2]!;
  own.remove();
  const path = join(parent, `${kind}-${pid}-${place}-00000000`);
  mkdirSync(path);
  writeFileSync(join(path, "snapshot.duckdb"), "data");
  return path;
}

const dead = (): number => spawnSync(process.execPath, ["-e", ""]).pid;

test("sweeps what dead processes left, never what a live one writes, nor folders of another kind", async () => {
  const live = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  try {
    const [gone, kept, other] = [left(dead()), left(live.pid!), left(dead(), undefined, "spill")];
    const own = ownedFolder(parent, "draft");
    expect([gone, kept, other, own.path].map((path) => existsSync(path))).toEqual([false, true, true, true]);
    expect(hasOwnedFolders(parent, "draft", own.path)).toBe(true);
    own.remove();
    expect(existsSync(own.path)).toBe(false);
  } finally {
    const ended = new Promise((exited) => live.once("exit", exited));
    live.kill();
    await ended;
  }
  sweepFolders(parent, "draft");
  expect(readdirSync(parent).filter((name) => name.startsWith("draft-"))).toEqual([]);
  expect(hasOwnedFolders(parent, "draft", "")).toBe(false);
});

test("asks no process of another machine or container: what is there goes a day after it was last written", () => {
  const [fresh, old] = [left(dead(), "0123456789ab"), left(dead(), "ba9876543210")];
  for (const path of [join(old, "snapshot.duckdb"), old]) utimesSync(path, 1, 1);
  sweepFolders(parent, "draft");
  expect([existsSync(fresh), existsSync(old)]).toEqual([true, true]);
  ownedFolder(parent, "draft").remove();
  expect([existsSync(fresh), existsSync(old)]).toEqual([true, false]);
});

test("is removed by whoever catches the signal", () => {
  const standing: (() => void)[] = [];
  const { path } = ownedFolder(parent, "draft", (remove) => {
    standing.push(remove);
    return remove;
  });
  writeFileSync(join(path, "snapshot.duckdb"), "data");
  for (const remove of standing) remove();
  expect(existsSync(path)).toBe(false);
});
