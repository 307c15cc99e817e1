import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const words = ["--epsilon", "0.001", "--delta", "0", "--format", "json"];

/**
 * `lethe query` as a subject of everyWrite, over a folder whose policy, ledger and data are there. Its ledger's head is kept in `heads`, which
 * is made, on another disk where there is one. `lethe(argv)` runs a command in the folder; `program` is the built command line.
 */
export function querySubject({ library, folder, heads, program, moduleUrl, lethe, sql }) {
  mkdirSync(heads);
  const headFile = join(heads, "head");
  lethe(["ledger", "verify", "--head-file", headFile]);
  const path = join(folder, "lethe.yaml");
  const policy = readFileSync(path, "utf8");
  const named = policy.replace("budget: { ", `budget: { head_file: ${headFile}, `);
  if (named === policy) throw new Error("the policy's budget is written in another way");
  writeFileSync(path, named);
  return {
    library,
    folders: [folder, heads],
    cwd: folder,
    moduleUrl,
    directory: join(folder, ".lethe", "ledger"),
    headFile,
    command: (id) => [process.execPath, [program, "query", sql, ...words, "--request", id]],
  };
}
