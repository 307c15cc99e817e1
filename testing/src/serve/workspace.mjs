import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built command line. */
export const bin = fileURLToPath(new URL("../../../apps/cli/dist/bin.mjs", import.meta.url));

/** Runs the built command line, with what it reads from standard input; throws with its output when it fails. */
export function runLethe(folder, words, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: folder,
    encoding: "utf8",
    input,
  });
  if (status !== 0) throw new Error(`lethe ${words.join(" ")}: ${stderr}${stdout}`);
  return stdout;
}

/** Makes a temporary folder with people.csv, its policy, ledger and snapshot, by the real commands; the words are those of `lethe init`, those that follow its --unit last. */
export function makeWorkspace(csv, words, unit = ["row"]) {
  const folder = mkdtempSync(join(tmpdir(), "lethe-bench-"));
  writeFileSync(join(folder, "people.csv"), csv);
  runLethe(folder, ["init", "people.csv", ...words, "--unit", ...unit]);
  runLethe(folder, ["import", "people.csv"]);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
