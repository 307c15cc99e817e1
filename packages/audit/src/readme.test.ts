import { readFileSync } from "node:fs";
import { transpileModule } from "typescript";
import { expect, test } from "vitest";
import * as face from "./index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);

const AsyncFunction = (async () => undefined).constructor as new (
  ...words: string[]
) => (face: unknown, shown: (value: unknown) => void) => Promise<void>;

/** The values of the lines that end in "// => …", and what stands there, up to a colon that goes on in words. */
async function run(snippet: string): Promise<{ values: unknown[]; written: string[] }> {
  const written: string[] = [];
  const told = snippet
    .replace(/^import (\{.*\}) from "@lethe\/audit";$/m, "const $1 = face;")
    .replaceAll(/^(.+); \/\/ => ([^:\n]*).*$/gm, (_line, expression: string, value: string) => {
      written.push(value);
      return `shown(${expression});`;
    });
  const { outputText } = transpileModule(`async () => {${told}}`, { compilerOptions: { target: 99 } });
  const body = outputText.slice(outputText.indexOf("{") + 1, outputText.lastIndexOf("}"));
  const values: unknown[] = [];
  await new AsyncFunction("face", "shown", body)(face, (value) => values.push(value));
  return { values, written };
}

test.each(snippets.map((snippet) => [/import \{ (.*?) \}/.exec(snippet)![1], snippet]))(
  "the README's %s gives what it says",
  async (_names, snippet) => {
    const { values, written } = await run(snippet!);
    expect(written.length).toBeGreaterThan(0);
    const spelled = values.map((value, at) => {
      const text = JSON.stringify(value);
      return written[at]!.endsWith("…") ? `${text.slice(0, written[at]!.length - 1)}…` : text;
    });
    expect(spelled).toEqual(written);
  },
);

test("two of them", () => expect(snippets.length).toBe(2));
