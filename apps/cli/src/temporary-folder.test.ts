import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { LetheError } from "@lethe/core";
import { expect, it } from "vitest";
import { ofTemporaryFiles, temporaryFolder } from "./temporary-folder.ts";

it("a temporary folder is new, lies where the system keeps such, and goes with all that is in it", () => {
  const [one, two] = [temporaryFolder(), temporaryFolder("lethe-plot-")];
  expect(one.path).not.toBe(two.path);
  expect([one, two].map(({ path }) => dirname(path))).toEqual([tmpdir(), tmpdir()]);
  expect(basename(one.path)).toMatch(/^lethe-audit-\w{6}$/);
  expect(basename(two.path)).toMatch(/^lethe-plot-\w{6}$/);
  expect(readdirSync(one.path)).toEqual([]);
  writeFileSync(join(one.path, "data"), "x");
  for (const { path, remove } of [one, two]) {
    remove();
    expect(existsSync(path)).toBe(false);
    expect(remove).not.toThrow();
  }
});

it("an error of the system is told as one of temporary files, and any other stays what it is", () => {
  const full = Object.assign(new Error("no room"), { code: "ENOSPC", syscall: "write" });
  expect(ofTemporaryFiles(full)).toMatchObject({
    code: "cli.file",
    message: `cannot write temporary files in ${tmpdir()} (ENOSPC)`,
    fix: "make room on the disk",
  });
  const own = new LetheError("query.type", "no", { fix: "x" });
  for (const other of [own, new Error("a bug"), { syscall: "write" }, null])
    expect(ofTemporaryFiles(other)).toBe(other);
});
