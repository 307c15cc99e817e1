import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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

test("is open to its owner alone, and lies in a parent that is made where there is none", () => {
  const { path, remove } = ownedFolder(join(parent, "state", "spill"), "spill");
  expect(basename(path)).toMatch(new RegExp(`^spill-${process.pid}-[0-9a-f]{12}-[0-9a-f]{8}$`));
  for (const folder of [path, join(parent, "state"), join(parent, "state", "spill")])
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  remove();
  expect(readdirSync(join(parent, "state", "spill"))).toEqual([]);
});

test("of another machine stays for a day after the newest of its files, or its own time", () => {
  const hour = 3600;
  const aged = (folderHours: number, fileHours: number): string => {
    const path = left(dead(), `0000000000${String(folderHours).padStart(2, "0")}`);
    const now = Date.now() / 1000;
    for (const [file, hours] of [
      [join(path, "snapshot.duckdb"), fileHours],
      [path, folderHours],
    ] as const)
      utimesSync(file, now - hours * hour, now - hours * hour);
    return path;
  };
  const [files, folder, both, neither] = [aged(48, 23), aged(22, 49), aged(23, 21), aged(25, 26)];
  ownedFolder(parent, "draft").remove();
  expect([files, folder, both, neither].map((path) => existsSync(path))).toEqual([true, true, true, false]);
});

test("of a name that no process gave it is left to its age", () => {
  const odd = ["draft-x-000000000000-1", "draft-12-short-1", `draft-${dead()}`].map((name) =>
    join(parent, name),
  );
  for (const path of odd) {
    mkdirSync(path);
    utimesSync(path, 1, 1);
  }
  sweepFolders(parent, "draft");
  expect(odd.map((path) => existsSync(path))).toEqual([true, true, true]);
  expect(hasOwnedFolders(parent, "draft", "")).toBe(true);
  ownedFolder(parent, "draft").remove();
  expect(odd.map((path) => existsSync(path))).toEqual([false, false, false]);
});

test("nothing is swept, and nobody writes, where there is no parent", () => {
  expect(() => sweepFolders(join(parent, "none"), "draft")).not.toThrow();
  expect(hasOwnedFolders(join(parent, "none"), "draft", "")).toBe(false);
  const own = ownedFolder(parent, "draft");
  expect(hasOwnedFolders(parent, "draft", own.path)).toBe(false);
  expect(hasOwnedFolders(parent, "draft", join(parent, "other"))).toBe(true);
  expect(hasOwnedFolders(parent, "spill", "")).toBe(false);
});
