import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { account, dpSgdEvent } from "@lethe/core";
import { installPacked } from "@lethe/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inFolder, lethe, peopleCsv, setUp } from "./testing/command-line.ts";

/* The packed mathematics and the packed verifier on Deno, which grants a program nothing that it does not ask for. */

const deno = process.env.LETHE_DENO ?? "";
if (deno === "") console.log("skipped: no Deno (LETHE_DENO names none; .ci/run fetches one)");

describe.skipIf(deno === "")("on Deno", () => {
  let project: string;
  const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

  /** Runs a script with these permissions and no others, and reads what it prints. */
  const run = (script: string, ...allowed: string[]): unknown => {
    write("script.mjs", script);
    const words = [
      "run",
      "--no-prompt",
      "--no-remote",
      "--node-modules-dir=manual",
      ...allowed,
      "script.mjs",
    ];
    const env = { ...process.env, DENO_DIR: join(project, "deno"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
    return JSON.parse(execFileSync(deno, words, { cwd: project, encoding: "utf8", env }));
  };

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), "lethe-deno-"));
    installPacked(project, "packages/core", "packages/query", "packages/verify");
    write("package.json", JSON.stringify({ dependencies: { "@lethe/core": "*", "@lethe/verify": "*" } }));
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it("core releases, prices and accounts without any permission", () => {
    const training = { units: 60_000, batch: 256, noiseMultiplier: 1.1, steps: 14_062 };
    const found = run(`
      import { account, dpSgdEvent, laplace, LetheError, price, toText } from "@lethe/core";
      const noise = laplace({ sensitivity: 2, epsilon: "1/2" });
      const released = Array.from({ length: 200 }, () => noise.release(100));
      const twice = price({ kind: "compose", version: 1, events: [noise.event, noise.event] }, { measure: "pure" });
      let refused = "";
      try { laplace({ sensitivity: 0, epsilon: 1 }); } catch (error) { if (error instanceof LetheError) refused = error.code; }
      const { lower, upper } = account(dpSgdEvent(${JSON.stringify(training)})).epsilon(1e-5);
      console.log(JSON.stringify({ released, one: toText(noise.loss.epsilon), two: toText(twice.epsilon), refused, lower, upper }));
    `) as { released: number[]; one: string; two: string; refused: string; lower: number; upper: number };
    expect(found).toMatchObject({ one: "1/2", two: "1", refused: "parameter.invalid" });
    // Noise of scale 4: one of 200 is off by 120 with a chance of 200 · e^-30, and all are the same with less.
    for (const value of found.released) expect(Math.abs(value - 100)).toBeLessThan(120);
    expect(new Set(found.released).size).toBeGreaterThan(1);
    const due = account(dpSgdEvent(training)).epsilon(1e-5);
    // Two versions of one engine may round a last bit differently.
    expect(found.lower).toBeCloseTo(due.lower, 9);
    expect(found.upper).toBeCloseTo(due.upper, 9);
  });

  it("verify checks a release, its signature and its plan, and finds one that was changed", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      const question = "SELECT sector, COUNT(*) FROM people GROUP BY sector";
      expect(await lethe("query", question, "--epsilon", "1", "--out", "release.json")).toMatchObject({
        error: "",
      });
      const release = readFileSync("release.json", "utf8");
      const given = {
        policyText: readFileSync("lethe.yaml", "utf8"),
        publicKeyPem: readFileSync(".lethe/ledger/ledger.pub", "utf8"),
      };
      const outcomes = (text: string): Record<string, string> =>
        run(
          `import { verifyRelease } from "@lethe/verify";
          const { checks } = await verifyRelease(${JSON.stringify(text)}, ${JSON.stringify(given)});
          console.log(JSON.stringify(Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]))));`,
          // PostgreSQL's grammar is a file beside its script, and the reader of YAML looks for two switches of its own.
          `--allow-read=${fileURLToPath(new URL("../../../node_modules/libpg-query", import.meta.url))}`,
          "--allow-env=LOG_TOKENS,LOG_STREAM",
        ) as Record<string, string>;
      const checks = outcomes(release);
      expect(checks).toMatchObject({ signature: "passed", price: "passed", question: "passed" });
      expect(Object.values(checks)).not.toContain("failed");
      const forged = JSON.parse(release) as { rows: unknown[] };
      forged.rows.pop();
      expect(outcomes(JSON.stringify(forged))).toMatchObject({ rows: "failed" });
    }));
});
