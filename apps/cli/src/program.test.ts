import type { Command } from "commander";
import { expect, it, vi } from "vitest";
import { program } from "./program.ts";
import { inFolder, lethe, peopleCsv } from "./testing/command-line.ts";

const every = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(every)];
const named = (path: string): Command =>
  path.split(" ").reduce((within, name) => within.commands.find((each) => each.name() === name)!, program());
/** The options of a command that are stated though nobody wrote them. */
const defaultsOf = (path: string): Record<string, unknown> =>
  Object.fromEntries(
    named(path).options.flatMap((option) =>
      option.defaultValue === undefined ? [] : [[option.attributeName(), option.defaultValue]],
    ),
  );
const choicesOf = (path: string): Record<string, unknown> =>
  Object.fromEntries(
    named(path).options.flatMap((option) =>
      option.argChoices === undefined ? [] : [[option.attributeName(), option.argChoices]],
    ),
  );

it("options that are left out say what the help says they do", () => {
  const policy = "lethe.yaml";
  expect(defaultsOf("init")).toEqual({
    unitName: "person",
    adjacency: "add-or-remove-one",
    bounds: [],
    categories: [],
    delimiter: ",",
    measure: "approximate",
    epsilon: "5",
    delta: "1e-6",
    policy,
  });
  expect(defaultsOf("query")).toEqual({
    param: [],
    confidence: "0.95",
    policy,
    format: "table",
    as: "owner",
  });
  expect(defaultsOf("explain")).toEqual({
    param: [],
    confidence: "0.95",
    policy,
    format: "table",
    as: "owner",
  });
  expect(defaultsOf("budget apply")).toEqual({ rename: [], policy });
  expect(defaultsOf("audit")).toEqual({ seed: "1", timeLimit: "10", param: [], policy });
  expect(defaultsOf("account dpsgd")).toEqual({ adjacency: "add-or-remove-one", find: "epsilon" });
  expect(defaultsOf("account shuffle")).toEqual({ adjacency: "replace-one" });
  expect(defaultsOf("account gaussian")).toEqual({
    adjacency: "add-or-remove-one",
    sensitivity: "1",
    count: "1",
  });
});

it("options with a choice take each of its words", () => {
  const adjacency = ["add-or-remove-one", "replace-one"];
  expect(choicesOf("init")).toEqual({
    adjacency,
    limit: ["groups-after-filter", "rows-before-filter"],
    bound: ["groups-after-filter", "rows-before-filter"],
    measure: ["pure", "approximate", "zcdp"],
  });
  const asked = { keys: ["public", "private"], mechanism: ["laplace", "gaussian"] };
  expect(choicesOf("query")).toEqual({ ...asked, format: ["table", "json", "csv"] });
  expect(choicesOf("explain")).toEqual({ ...asked, format: ["table", "json"] });
  for (const command of ["budget", "verify"])
    expect(choicesOf(command)).toEqual({ format: ["table", "json"] });
  expect(choicesOf("account dpsgd")).toEqual({ adjacency, find: ["epsilon", "sigma", "steps"] });
});

it("options that may be repeated keep every value in its order", () => {
  const init = named("init");
  init.parseOptions([
    "--bounds",
    "a=0..1",
    "--bounds",
    "b=0..2",
    "--categories",
    "c=x",
    "--table",
    "t",
    "--table",
    "u",
  ]);
  expect(init.opts()).toMatchObject({ bounds: ["a=0..1", "b=0..2"], categories: ["c=x"], table: ["t", "u"] });
  const query = named("query");
  query.parseOptions(["--param", "1=a", "--param", "2=b"]);
  expect(query.opts().param).toEqual(["1=a", "2=b"]);
});

it("no command ends the process or writes on the error stream by itself, be it asked for help or for nonsense", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => {
    throw new Error("ended");
  });
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const shown = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    for (const command of every(program())) {
      const path: string[] = [];
      for (let each: Command | null = command; each?.parent; each = each.parent) path.unshift(each.name());
      const wrong = await lethe(...path, "--no-such-option");
      expect(wrong, path.join(" ")).toMatchObject({ code: "cli.usage", out: "" });
      expect(await lethe(...path, "--help"), path.join(" ")).toMatchObject({ code: null, error: "" });
    }
    expect(shown.mock.calls.length).toBeGreaterThan(15);
    expect(written).not.toHaveBeenCalled();
    expect(exit).not.toHaveBeenCalled();
  } finally {
    vi.restoreAllMocks();
  }
});

it.each<[string, string[], string, string]>([
  ["no command", [], "a command is needed", "lethe --help shows every command"],
  [
    "a question without quotes",
    ["query", "SELECT", "1"],
    "too many arguments for 'query'",
    "one pair of quotes",
  ],
  [
    "a plan's question without quotes",
    ["explain", "SELECT", "1"],
    "too many arguments",
    "one pair of quotes",
  ],
  ["more words than a command takes", ["policy", "check", "x"], "too many arguments", "lethe --help shows"],
  [
    "a question that begins with a dash",
    ["query", "-- how many\nSELECT 1"],
    "unknown option",
    "write -- before",
  ],
  ["a missing argument", ["verify"], "missing required argument 'release'", "lethe --help shows"],
])("%s is refused with what to write instead", async (_, argv, message, fix) => {
  const said = await lethe(...argv);
  expect(said).toMatchObject({ code: "cli.usage", out: "" });
  expect(said.error).toContain(message);
  expect(said.error).toContain(`fix: `);
  expect(said.error.split("fix: ")[1]).toContain(fix);
  expect(said.error).not.toMatch(/error: |\(outputHelp\)/);
  expect(said.error.split("\n")).toHaveLength(2);
});

it("what a command refuses is told as it is", () =>
  inFolder({ "people.csv": peopleCsv }, async () => {
    expect((await lethe("init", "people.csv", "--unit", "nobody")).code).toBe("policy.invalid");
  }));
