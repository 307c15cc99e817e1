import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
const programs = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".mjs"),
);

function printed(path: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "lethe-examples-"));
  try {
    const words = [join(examples, path)];
    return execFileSync(process.execPath, words, { cwd: folder, encoding: "utf8" }).trim().split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it("every example is listed with what it shows", () => {
  const page = readFileSync(join(examples, "README.md"), "utf8");
  expect(programs.length).toBeGreaterThan(2);
  for (const path of programs) expect(page).toContain(`| \`node examples/${path}\` |`);
});

it("a question is answered from a program, and a stranger's checks all pass", () => {
  const lines = printed("ask-and-check.mjs");
  expect(lines.map((line) => line.split(" ")[0])).toEqual([
    ...["price", "surgery", "medicine", "paediatrics", "emergency", "null"],
    expect.stringMatching(/^\d+$/),
  ]);
  expect(lines[0]).toBe("price 1/2");
  expect(lines.at(-1)).toMatch(/^\d{2} checks, 0 of them failed or not made$/);
});

it("a training is priced both ways", () => {
  const [costs, needs] = printed("price-a-training.mjs");
  // dp_accounting 0.6 gives 1.133745 for the same run.
  expect(costs).toMatch(/^noise multiplier 1\.1 costs ε 1\.133\d at δ 0\.00001 \(and at least 1\.133\d\)$/);
  expect(needs).toMatch(/^ε 1 needs a noise multiplier of 1\.1\d\d$/);
});

it("a bare holdout is overfitted, and one that is asked through thresholdout is not (false alarm below 1e-6)", () => {
  const [bare = "", kept = "", price] = printed("reuse-a-holdout.mjs");
  const told = (line: string): number[] =>
    [...line.matchAll(/(\d+\.\d) %/g)].map(([, share]) => Number(share));
  // An accuracy on 2,000 fresh coins has deviation 1.1 points. The bare holdout gains some 13 points; the noise of what thresholdout
  // tells has scale 0.15; a feature is told as an overfit by mistake with probability 3e-10.
  expect(told(bare)).toHaveLength(2);
  expect(told(bare)[0]).toBeGreaterThan(56);
  expect(told(kept)[0]).toBeLessThan(56);
  for (const line of [bare, kept]) expect(Math.abs((told(line)[1] ?? 0) - 50)).toBeLessThan(6);
  expect(price).toMatch(/^1001 questions cost a record of the holdout ε 2; overfits left to tell: 1$/);
});
