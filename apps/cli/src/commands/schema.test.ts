import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lethe } from "../testing/command-line.ts";

it.each([
  ["policy", "Lethe policy"],
  ["model", "Lethe model"],
  ["synthesis", "Lethe synthetic table"],
])("lethe schema %s prints a JSON Schema of draft 2020-12, and opens no policy", async (kind, title) => {
  const { out, error } = await lethe("schema", kind);
  expect(error).toBe("");
  expect(JSON.parse(out)).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
  });
});

it.each(["model", "synthesis"])("the page of files names every key of a %s", async (kind) => {
  const page = readFileSync(new URL("../../../../docs/reference/models.md", import.meta.url), "utf8");
  const schema = JSON.parse((await lethe("schema", kind)).out);
  const kinds: readonly { readonly properties: object }[] = schema.anyOf ?? [schema];
  const keys = new Set(kinds.flatMap(({ properties }) => Object.keys(properties)));
  expect(keys.size).toBeGreaterThan(7);
  const missing = [...keys].filter((key) => !new RegExp(`\`${key}[:\`]`).test(page));
  expect(missing).toEqual([]);
});

it("lethe policy schema prints the same as lethe schema policy", async () => {
  expect((await lethe("policy", "schema")).out).toBe((await lethe("schema", "policy")).out);
});

it.each([[[]], [["ledger"]], [["model", "policy"]]])("refuses lethe schema %j", async (words) => {
  expect((await lethe("schema", ...words)).code).toBe("cli.usage");
});
