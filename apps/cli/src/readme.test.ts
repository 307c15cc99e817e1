import { readFileSync } from "node:fs";
import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import * as face from "./index.ts";
import { inFolder, lethe, peopleCsv } from "./testing/command-line.ts";

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

/** The command lines that begin with lethe: continued lines joined, comments dropped, words as a shell splits them. */
const commands = blocks
  .filter(({ language }) => language === "")
  .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, " ").split("\n"))
  .filter((line) => line.startsWith("lethe "))
  .map((line) =>
    [...line.replace(/\s#\s.*$/, "").matchAll(/"([^"]*)"|(\S+)/g)]
      .map(([, quoted, plain]) => quoted ?? plain ?? "")
      .slice(1),
  );
/** The first event that docs/events.md shows. */
const plan = /^```json\n([\s\S]*?)^```$/m.exec(
  readFileSync(new URL("../../../docs/events.md", import.meta.url), "utf8"),
)![1]!;
const snippet = blocks.find(({ language }) => language === "ts")!.text;
const policy = blocks.find(({ language }) => language === "yaml")!.text;

describe("the README", () => {
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

      const imported = snippet.replace(/^import (\{.*\}) from "lethe";$/m, "const $1 = face;");
      expect(imported).not.toBe(snippet);
      const printed: unknown[][] = [];
      const AsyncFunction = (async () => undefined).constructor as new (
        ...words: string[]
      ) => (face: unknown, console: unknown) => Promise<void>;
      const run = new AsyncFunction("face", "console", imported);
      await run(face, { log: (...values: unknown[]) => printed.push(values) });
      expect(printed.map(([sector]) => sector)).toEqual(["manufacturing", "construction", "other"]);
      for (const [, wage] of printed)
        expect(wage).toEqual({
          value: expect.any(Number),
          lower: expect.any(Number),
          upper: expect.any(Number),
        });
    }));

  it("shows a policy that is one", () => {
    const { tables, budget } = readPolicy(policy);
    expect(Object.keys(tables.people!.columns)).toEqual(["wage", "sector", "hired"]);
    expect(budget.measure).toBe("approximate");
  });
});
