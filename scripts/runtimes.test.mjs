import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const script = fileURLToPath(new URL("runtimes.mjs", import.meta.url));
let home;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "lethe-runtimes-"));
});
afterAll(() => rmSync(home, { recursive: true }));

/** Runs the script where no registry answers and npm has nothing at hand. */
const offline = () =>
  spawnSync(process.execPath, [script, join(home, "kept")], {
    encoding: "utf8",
    env: {
      ...process.env,
      npm_config_cache: join(home, "cache"),
      npm_config_registry: "http://127.0.0.1:1/",
    },
  });

it("without a registry no runtime is named, and nothing fails", () => {
  const { status, stdout, stderr } = offline();
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(stderr.trim().split("\n").sort()).toEqual([
    expect.stringMatching(/^no LETHE_DENO, its tests will be skipped: ./),
    expect.stringMatching(/^no LETHE_NODE_22, its tests will be skipped: ./),
  ]);
  expect(readdirSync(join(home, "kept")), "left behind").toEqual([]);
});

it("a runtime that was fetched before is taken as it lies", () => {
  const folder = join(home, "kept", "LETHE_DENO-2.9.6");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "deno"), "#!/bin/sh\necho deno 2.9.6\n");
  chmodSync(join(folder, "deno"), 0o755);
  const { stdout, stderr } = offline();
  expect(stdout).toBe(`LETHE_DENO=${join(folder, "deno")}\n`);
  expect(stderr).not.toContain("LETHE_DENO");
});
