import { spawnSync } from "node:child_process";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { program } from "../../program.ts";
import { lethe } from "../../testing/command-line.ts";
import { examples } from "./examples.ts";

const every = (command: Command, path = ""): readonly [string, Command][] => [
  [path, command],
  ...command.commands.flatMap((inner) => every(inner, `${path} ${inner.name()}`.trim())),
];

it("every command that does something ends its help with an example, which names it", () => {
  const runnable = every(program()).filter(([path, { commands }]) => path !== "" && commands.length === 0);
  for (const [path] of runnable) {
    if (path === "budget apply") continue;
    expect(examples[path], path).toMatch(/^(lethe|source)/);
  }
  for (const path of Object.keys(examples)) expect(examples[path]).toContain(`lethe ${path}`);
});

it("bash completes commands, commands within commands, and options", async () => {
  const { out } = await lethe("completion", "bash");
  const complete = (...words: string[]): string[] => {
    const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _lethe; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    return stdout.split("\n").filter((line) => line !== "");
  };
  expect(complete("lethe", "que")).toEqual(["query"]);
  expect(complete("lethe", "budget", "a")).toEqual(["apply"]);
  expect(complete("lethe", "query", "--eps")).toEqual(["--epsilon"]);
  expect(complete("lethe", "budget", "grant", "--rea")).toEqual(["--reason"]);
});

it("zsh and fish get a list of the same words", async () => {
  const [zsh, fish] = [(await lethe("completion", "zsh")).out, (await lethe("completion", "fish")).out];
  expect(zsh).toMatch(/^#compdef lethe\n/);
  expect(zsh).toMatch(/"budget\/apply"\) words_known=\(--rename/);
  expect(fish).toContain('complete -c lethe -n "__fish_use_subcommand" -a query');
  expect(fish).toContain(
    'complete -c lethe -n "__fish_seen_subcommand_from budget; and __fish_seen_subcommand_from apply" -l rename',
  );
});
