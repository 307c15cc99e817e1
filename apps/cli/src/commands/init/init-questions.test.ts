import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { InitFlags } from "./init-flags.ts";
import { askMissingWords } from "./init-questions.ts";

interface Asked {
  readonly message: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder?: string;
  readonly initialValue?: string;
  readonly validate?: (text?: string) => string | undefined;
}
const prompts = vi.hoisted(() => ({
  select: vi.fn<(asked: Asked) => Promise<string | symbol>>(),
  text: vi.fn<(asked: Asked) => Promise<string | symbol>>(),
  intro: vi.fn(),
  outro: vi.fn(),
  cancel: vi.fn(),
  isCancel: (value: unknown) => typeof value === "symbol",
}));
vi.mock("@clack/prompts", () => prompts);

const terminals = [process.stdin, process.stdout].map((stream) => ({ stream, isTTY: stream.isTTY }));
/** Makes input and output terminals or not; under Vitest they are none. */
function atTerminals(...isTTY: readonly boolean[]): void {
  for (const [at, { stream }] of terminals.entries()) stream.isTTY = isTTY[at]!;
}
beforeEach(() => atTerminals(true, true));
afterEach(() => {
  vi.clearAllMocks();
  for (const { stream, isTTY } of terminals) stream.isTTY = isTTY;
});

const flags: InitFlags = {
  policy: "lethe.yaml",
  unitName: "person",
  adjacency: "add-or-remove-one",
  bounds: [],
  categories: [],
  delimiter: ",",
  measure: "approximate",
  epsilon: "5",
  delta: "1e-6",
};

/** A person who gives these answers, each to the question that contains its words; to others the default. */
function answering(answers: Readonly<Record<string, string | symbol>>): void {
  const answer = ({ message, initialValue = "text" }: Asked): Promise<string | symbol> => {
    const words = Object.keys(answers).find((each) => message.includes(each));
    return Promise.resolve(words === undefined ? initialValue : answers[words]!);
  };
  prompts.select.mockImplementation(answer);
  prompts.text.mockImplementation(answer);
}
const askedOf = (words: string): Asked =>
  [...prompts.select.mock.calls, ...prompts.text.mock.calls]
    .map(([asked]) => asked)
    .find(({ message }) => message.includes(words))!;
const messages = (mock: typeof prompts.select): readonly string[] =>
  mock.mock.calls.map(([{ message }]) => message);

it("who states the unit is asked nothing", async () => {
  expect(await askMissingWords({ ...flags, unit: "row" }, ["wage"])).toEqual({ ...flags, unit: "row" });
  expect(prompts.intro).not.toHaveBeenCalled();
});

it.each([
  [false, true],
  [true, false],
])("nobody is asked where input or output is no terminal: %s, %s", async (stdin, stdout) => {
  atTerminals(stdin, stdout);
  await expect(askMissingWords(flags, ["wage"])).rejects.toMatchObject({
    code: "cli.usage",
    message: "init must be told who is protected",
    fix: expect.stringContaining("--unit row"),
  });
  expect(prompts.select).not.toHaveBeenCalled();
});

it("on a terminal each answer becomes the word that an option would have stated", async () => {
  answering({
    "one unit": "pid",
    "wage is": "number",
    "Bounds of wage": " 0..60.5 ",
    "age is": "integer",
    "Bounds of age": "-1..120",
    "since is": "time",
    "Bounds of since": "2010-01-01..2029-12-31",
    "sector is": "categories",
    "Categories of sector": "a,b",
    "married is": "boolean",
    "employed is": "boolean",
    "note is": "text",
    budget: " 1/2 ",
  });
  const header = ["pid", "wage", "age", "since", "sector", "married", "employed", "note"];
  expect(await askMissingWords(flags, header)).toEqual({
    ...flags,
    unit: "pid",
    bounds: ["wage=0..60.5", "age=int:-1..120", "since=2010-01-01..2029-12-31"],
    categories: ["sector=a,b"],
    booleans: "married,employed",
    epsilon: "1/2",
  });
  expect(messages(prompts.select)).toEqual([
    "Who is one unit?",
    ...header.slice(1).map((column) => `${column} is`),
  ]);
  expect(askedOf("Bounds of wage").placeholder).toBe("0..60");
  expect(askedOf("Bounds of age").placeholder).toBe("0..60");
  expect(askedOf("Bounds of since").placeholder).toBe("2010-01-01..2029-12-31");
  expect(prompts.intro).toHaveBeenCalledTimes(1);
  expect(prompts.outro).toHaveBeenCalledTimes(1);
});

it("columns that options declare, and the unit's, are not asked about, and what options said is kept", async () => {
  answering({ "one unit": "row" });
  const stated = {
    ...flags,
    bounds: ["wage=0..60"],
    categories: ["sector=a,b"],
    booleans: "married, employed",
  };
  const words = await askMissingWords(stated, ["wage", "sector", "married", "employed", "note"]);
  expect(words).toEqual({ ...stated, unit: "row", booleans: "married,employed" });
  expect(messages(prompts.select)).toEqual(["Who is one unit?", "note is"]);
  expect(messages(prompts.text)).toEqual(["The whole budget's ε"]);
});

it("a column that nobody called true or false leaves the word out", async () => {
  answering({ "one unit": "row" });
  expect(await askMissingWords(flags, ["note"])).not.toHaveProperty("booleans");
});

it("a unit is each row or one of the columns, of which none is called row, and no name steers the terminal", async () => {
  answering({ "one unit": "row" });
  await askMissingWords(flags, ["pid", "row", "a\u001b[2J"]);
  expect(askedOf("one unit").options).toEqual([
    { value: "row", label: "each row is one person" },
    { value: "pid", label: "all rows with one pid" },
    { value: "a\u001b[2J", label: "all rows with one a\\u{1b}[2J" },
  ]);
  expect(messages(prompts.select)).toContain("a\\u{1b}[2J is");
  expect(askedOf("pid is").options!.map(({ value }) => value)).toEqual([
    "text",
    "number",
    "integer",
    "time",
    "categories",
    "boolean",
  ]);
});

it("an answer that says nothing is asked for again, with what to write, and a good one is taken", async () => {
  answering({
    "one unit": "row",
    "wage is": "number",
    "Bounds of wage": "0..60",
    "age is": "integer",
    "Bounds of age": "0..120",
    "sector is": "categories",
    "Categories of sector": "a,b",
  });
  await askMissingWords(flags, ["wage", "age", "sector"]);
  const fixOf = (words: string, text?: string): string | undefined => askedOf(words).validate!(text);
  for (const [words, good, bad] of [
    ["Bounds of wage", " 0..60 ", ["", "60", "60..0", undefined]],
    ["Bounds of age", "0..120", ["much", undefined]],
    ["Categories of sector", "a,b", ["", "a,a", undefined]],
    ["budget", " 0.5 ", ["", "0", "-1", "much", undefined]],
  ] as const) {
    expect(fixOf(words, good), words).toBeUndefined();
    for (const text of bad) expect(fixOf(words, text), `${words}: ${text}`).toMatch(/\S/);
  }
  expect(askedOf("budget").initialValue).toBe("5");
});

it.each(["one unit", "wage is", "Bounds of wage", "sector is", "Categories of sector", "budget"])(
  "who leaves at the question “%s” has written nothing",
  async (words) => {
    answering({
      "one unit": "row",
      "wage is": "number",
      "Bounds of wage": "0..60",
      "sector is": "categories",
      "Categories of sector": "a,b",
      [words]: Symbol("cancel"),
    });
    await expect(askMissingWords(flags, ["wage", "sector"])).rejects.toMatchObject({
      code: "cli.usage",
      message: "init was cancelled",
      fix: "run it again; nothing was written",
    });
    expect(prompts.cancel).toHaveBeenCalledTimes(1);
    expect(prompts.outro).not.toHaveBeenCalled();
  },
);
