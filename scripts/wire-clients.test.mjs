import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const script = fileURLToPath(new URL("wire-clients.mjs", import.meta.url));
let home;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "lethe-wire-clients-"));
  mkdirSync(join(home, "bin"));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A program of this name that a shell runs. */
function program(name, ...lines) {
  writeFileSync(join(home, "bin", name), `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(join(home, "bin", name), 0o755);
}

/** Runs the script where there are these programs alone. */
const fetched = () =>
  spawnSync(process.execPath, [script, join(home, "kept")], {
    encoding: "utf8",
    env: { ...process.env, PATH: join(home, "bin") },
  });

it("without Python and Maven no client is named, and nothing fails", () => {
  const { status, stdout, stderr } = fetched();
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  expect(stderr.trim().split("\n").sort()).toEqual([
    "no LETHE_WIRE_PGJDBC, its tests will be skipped: spawn mvn ENOENT",
    "no LETHE_WIRE_PYTHON, its tests will be skipped: spawn python3 ENOENT",
  ]);
  expect(readdirSync(join(home, "kept")), "left behind").toEqual([]);
});

it("another file than the one that is pinned is not taken", () => {
  program("mvn", 'IFS="="', "set -- $5", 'echo other > "$2/postgresql-42.7.14.jar"');
  const { stdout, stderr } = fetched();
  expect(stdout).toBe("");
  expect(stderr).toContain("org.postgresql:postgresql:42.7.14 is not the file that is pinned");
  expect(readdirSync(join(home, "kept")), "left behind").toEqual([]);
});

it("an environment whose packages cannot be imported is made anew, and named only once they can", () => {
  // The made environment is one whose Python imports nothing until pip ran.
  program("python3", '/bin/mkdir -p "$3/bin"', `/bin/cp ${join(home, "bin", "made")} "$3/bin/python"`);
  program("made", 'case "$2" in pip) : > "$0.installed";; *) test -e "$0.installed";; esac');
  const { stdout } = fetched();
  expect(stdout).toMatch(/^LETHE_WIRE_PYTHON=.*\/kept\/python-[0-9a-f]{12}\/bin\/python\n$/);
  program("python3", "exit 1");
  expect(fetched().stdout, "taken as it lies").toBe(stdout);
});
