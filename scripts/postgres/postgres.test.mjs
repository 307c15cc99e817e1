import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { binariesFolder, fetchBinaries, pinned } from "./binaries.mjs";

const script = fileURLToPath(new URL("test.mjs", import.meta.url));
let home;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "lethe-postgres-home-"));
});
afterAll(() => rmSync(home, { recursive: true }));

/** Runs the script with programs of a test's own in place of npm and npx. */
const run = (major, programs, kept = "kept") => {
  const bin = mkdtempSync(join(home, "bin-"));
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return spawnSync(process.execPath, [script, major, "one.test.ts"], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, LETHE_POSTGRES_HOME: join(home, kept) },
  });
};

describe.skipIf(`${process.platform}-${process.arch}` !== "linux-x64")("npm run test:postgres", () => {
  it("fails where the registry does not answer, and leaves nothing behind", () => {
    expect(run("16", { npm: "exit 1" }).status).toBe(1);
    expect(readdirSync(join(home, "kept"))).toEqual([]);
  });

  it("refuses a file that is not the one that is pinned", () => {
    const { status, stderr } = run("16", {
      npm: `echo other > other.tgz; echo '[{"filename":"other.tgz"}]'`,
    });
    expect([
      status,
      stderr.includes(`${pinned.majors["16"].version} is not the file that is pinned`),
    ]).toEqual([1, true]);
    expect(readdirSync(join(home, "kept"))).toEqual([]);
  });

  it("runs the files on a version that was fetched before, and ends as they do", () => {
    const native = binariesFolder(join(home, "there"), pinned.majors["15"].version);
    mkdirSync(native, { recursive: true });
    const npx = 'echo "$LETHE_POSTGRES_BINARIES $*"; exit 3';
    const { status, stdout } = run("15", { npm: "exit 1", npx }, "there");
    expect(status).toBe(3);
    expect(stdout).toContain(`${native} vitest run one.test.ts\n`);
  });
});

it("a version that is not pinned is refused, and the error names those that are", () => {
  const { status, stderr } = run("14", {});
  expect([status, stderr]).toEqual([2, "usage: npm run test:postgres -- 15|16|17 [FILE …]\n"]);
});

it("what lies there is taken as it is", async () => {
  const { version } = pinned.majors["17"];
  mkdirSync(binariesFolder(join(home, "lies"), version), { recursive: true });
  expect(await fetchBinaries("17", join(home, "lies"))).toBe(binariesFolder(join(home, "lies"), version));
});
