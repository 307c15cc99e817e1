import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { program } from "./program.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Every source that may tell somebody what to type. */
function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ["node_modules", "dist", "testing"].includes(entry.name) ? [] : sources(path);
    return /\.ts$/.test(path) && !/\.test\.ts$/.test(path) ? [path] : [];
  });
}

/** Commands as they are written in messages: their words, and the options that follow them directly. */
function suggestions(text: string): { readonly words: string[]; readonly options: string[] }[] {
  const written = /\blethe ((?:[a-z]+ ?)+)((?:(?: ?--[a-z-]+)(?:[ =](?:[A-Z$"'`][^\s;,)`]*|\d\S*))?)*)/g;
  return [...text.matchAll(written)].map(([, words, rest]) => ({
    words: words!.trim().split(" "),
    options: [...rest!.matchAll(/--[a-z-]+/g)].map(([option]) => option),
  }));
}

/** The command that the words begin with, as far as they are commands. */
function commandOf(words: readonly string[], within: Command = program()): Command | null {
  const next = within.commands.find((command) => command.name() === words[0]);
  if (!next) return within.parent === null ? null : within;
  return commandOf(words.slice(1), next);
}

it("suggests no command and no option that does not exist", () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const path of ["packages", "apps"].flatMap((folder) => sources(join(root, folder)))) {
    for (const { words, options } of suggestions(readFileSync(path, "utf8"))) {
      const command = commandOf(words);
      // "lethe is for …" is a sentence and no command; an option makes it one.
      if (command === null && options.length === 0) continue;
      seen += 1;
      const known = ["--help", "--version"];
      for (let each = command; each; each = each.parent)
        known.push(...each.options.map(({ long }) => long ?? ""));
      for (const option of options) {
        if (command === null || !known.includes(option))
          wrong.push(`${path}: lethe ${words.join(" ")} ${option}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(60);
});

it("would notice both", () => {
  expect(commandOf(["budgett"])).toBeNull();
  expect(suggestions("run lethe budget grant --more 1 --reason x")).toEqual([
    { words: ["budget", "grant"], options: ["--more", "--reason"] },
  ]);
});
