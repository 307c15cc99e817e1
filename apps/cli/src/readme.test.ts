import { readFileSync } from "node:fs";
import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import * as face from "./index.ts";
import { inFolder, lethe, peopleCsv } from "./testing/command-line.ts";
import { blocksOf, runSnippet, wordsOf } from "./testing/page.ts";

const page = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const readme = page("README.md");
const blocks = [...blocksOf(readme), ...blocksOf(page("docs/how-to/price-mechanisms.md"))];

const commands = blocks
  .filter(({ language }) => language === "")
  .flatMap(({ text }) => wordsOf(text))
  .filter(([program]) => program === "lethe")
  .map(([, ...argv]) => argv);
/** The first event that docs/reference/events.md shows. */
const plan = blocksOf(page("docs/reference/events.md")).find(({ language }) => language === "json")!.text;
const snippet = blocks.find(({ language }) => language === "ts")!.text;
const [policy] = blocksOf(page("docs/reference/policy.md")).filter(({ language }) => language === "yaml");

describe("the README and the page of mechanisms", () => {
  it("shows commands and a snippet that work as they stand, one after the other", () =>
    inFolder({ "people.csv": peopleCsv, "plan.json": plan }, async () => {
      expect(commands.map(([name]) => name)).toEqual([
        "init",
        "import",
        "explain",
        "query",
        "budget",
        "verify",
        "account",
        "account",
        "account",
      ]);
      for (const argv of commands) expect(await lethe(...argv)).toMatchObject({ code: null, error: "" });

      const printed: unknown[][] = [];
      await runSnippet(snippet, { lethe: face }, (...values) => printed.push(values));
      expect(printed.map(([sector]) => sector)).toEqual(["manufacturing", "construction", "other"]);
      for (const [, wage] of printed)
        expect(wage).toEqual({
          value: expect.any(Number),
          lower: expect.any(Number),
          upper: expect.any(Number),
        });
    }));

  it("is short: a door, not the house", () => {
    expect(readme.replace(/^```[\s\S]*?^```$/gm, "").split(/\s+/).length).toBeLessThanOrEqual(450);
  });
});

describe("the page of the policy", () => {
  it("shows a policy that is one", () => {
    const { tables, budget } = readPolicy(policy!.text);
    expect(Object.keys(tables.people!.columns)).toEqual(["wage", "sector", "hired"]);
    expect(budget.measure).toBe("approximate");
  });
});
