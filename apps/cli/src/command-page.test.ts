import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { program } from "./program.ts";
import { commandPage } from "./testing/command-page.ts";

const place = new URL("../../../docs/reference/cli.md", import.meta.url);
const made = commandPage(program());

/** UPDATE_GOLDEN=1 writes the page anew: read the difference. */
if (process.env.UPDATE_GOLDEN === "1") writeFileSync(place, made);

it("the page of the command line says what the program takes", () => {
  expect(readFileSync(place, "utf8")).toBe(made);
});

it("has every command, every option and every default", () => {
  const sections = made.split(/^## /m).slice(1);
  expect(sections.map((text) => text.split("\n")[0])).toEqual(
    expect.arrayContaining(["lethe query", "lethe budget", "lethe budget apply", "lethe account dpsgd"]),
  );
  const query = sections.find((text) => text.startsWith("lethe query\n"))!;
  expect(query).toContain("| `<sql>` | the question;");
  expect(query).toContain("| `--confidence <number>` | coverage of the intervals | `0.95` |");
  expect(query).toContain("one of `table`, `json`, `csv` | `table` |");
  expect(sections.find((text) => text.startsWith("lethe budget apply\n"))).toContain("--rename ada=adele");
});
