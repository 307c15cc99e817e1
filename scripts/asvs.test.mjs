import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const path = fileURLToPath(new URL("../docs/reference/asvs.md", import.meta.url));
const rows = readFileSync(path, "utf8")
  .split("\n")
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line));

/** The contracts whose tests a file may run. */
const contracts = ["people-store", "audit-log"].map((name) =>
  readFileSync(new URL(`../testing/src/contracts/${name}-contract.ts`, import.meta.url), "utf8"),
);

it("docs/reference/asvs.md names each item once, in order", () => {
  const numbers = rows.map((row) => row.split("|")[1].trim());
  const place = (number) => number.split(".").reduce((sum, part) => sum * 100 + Number(part), 0);
  expect(rows.length).toBeGreaterThan(50);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers).toEqual(numbers.toSorted((a, b) => place(a) - place(b)));
});

it.each(rows)("%s", (row) => {
  const shown = row.split("|")[3];
  const named = [...shown.matchAll(/\]\(([^)]+\.test\.ts)\)(, by the contract)? "([^"]+)"/g)];
  for (const [, file, byContract, name] of named) {
    const texts = [readFileSync(join(dirname(path), file), "utf8"), ...(byContract ? contracts : [])];
    expect(
      texts.some((text) => text.includes(`"${name}"`) || text.includes(`"${name},`)),
      name,
    ).toBe(true);
  }
  // Without a test there is a page, a source or a reason.
  if (named.length === 0) expect(shown).toMatch(/\]\([^)]+\)|not met|does not apply|there (?:is|are) no/);
});
