import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a test at a bench's size, that of the environment, and returns the lines of its report. `name` chooses of its tests; none chooses all. */
export function reportOf(test, name, sizes) {
  const folder = mkdtempSync(join(tmpdir(), "lethe-report-"));
  try {
    const file = join(folder, "report");
    const env = { ...process.env, REPLAY_REPORT: file };
    for (const [key, size] of Object.entries(sizes)) env[key] = String(size);
    const chosen = name === "" ? [] : ["-t", name];
    const { status, stdout } = spawnSync(
      "npx",
      ["vitest", "run", "--maxWorkers=1", "--testTimeout=0", "--hookTimeout=0", test, ...chosen],
      { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 },
    );
    if (status !== 0) console.error(stdout);
    return readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
