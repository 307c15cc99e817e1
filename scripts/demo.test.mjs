import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the demo runs to its end, each command answered or refused as it says", () => {
  const home = mkdtempSync(join(tmpdir(), "lethe-demo-"));
  try {
    const script = fileURLToPath(new URL("demo.mjs", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, join(home, "demo")], {
      encoding: "utf8",
    });
    expect(status, stderr + stdout).toBe(0);
    expect(stdout).toContain("9. Anyone can check a release");
    expect(stderr).toContain("error [query.unsupported]");
  } finally {
    rmSync(home, { recursive: true });
  }
});
