import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { glossaryParts } from "./house/glossary-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const rows = glossaryParts(readFileSync(join(root, "docs/glossary.md"), "utf8")).flatMap(
  ({ terms }) => terms,
);

const textOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((path) => path.endsWith(".ts") && !/\.test\.|node_modules|dist\//.test(path))
    .map((path) => readFileSync(join(root, folder, path), "utf8"))
    .join("\n");

describe("the glossary", () => {
  it("has each term once, with a meaning", () => {
    const terms = rows.map(({ term }) => term);
    expect(terms.length).toBeGreaterThan(30);
    expect(new Set(terms).size).toBe(terms.length);
    for (const { meaning } of rows) expect(meaning).toMatch(/^\p{Lu}|^δ|^How/u);
    for (const { meaning } of rows) expect(meaning).toMatch(/\.$/);
  });

  it("names what the code exports", () => {
    const sources = textOf("packages");
    const missing = rows
      .flatMap(({ code }) => code)
      .filter(
        (name) => !new RegExp(`\\b(?:interface|type|class|function|const|async) ${name}\\b`).test(sources),
      );
    expect(missing).toEqual([]);
  });

  it("names keys of the policy and flags of the command line", () => {
    const policy = textOf("packages/query/src/policy");
    const cli = textOf("apps/cli/src");
    expect(rows.flatMap((row) => row.policy).filter((key) => !policy.includes(`${key}:`))).toEqual([]);
    expect(rows.flatMap((row) => row.flags).filter((flag) => !cli.includes(flag))).toEqual([]);
  });
});
