import { LetheError } from "@lethe/core";
import { readBoundsWord, readCategoriesWord } from "@lethe/query";
import { printable } from "../../render/printable.ts";
import { booleanColumns, isAboveZero } from "./check-init-words.ts";
import type { InitFlags } from "./init-flags.ts";

type AnsweredFlags = InitFlags & { readonly unit: string };
type Prompts = typeof import("@clack/prompts");

/** Returns the words that init needs beyond the defaults: who is protected. On a terminal it asks, for columns too; elsewhere it refuses. */
export async function askMissingWords(flags: InitFlags, header: readonly string[]): Promise<AnsweredFlags> {
  const { unit } = flags;
  if (unit !== undefined) return { ...flags, unit };
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new LetheError("cli.usage", "init must be told who is protected", {
      fix: "add --unit row when each row is one person, or --unit COLUMN when a column names the person",
    });
  }
  return askOnTerminal(flags, header);
}

async function askOnTerminal(flags: InitFlags, header: readonly string[]): Promise<AnsweredFlags> {
  const prompts = await import("@clack/prompts");
  const { intro, outro } = prompts;
  intro(
    "Who is protected, and what is public about each column? Answer from what you know, not from the values.",
  );
  const unit = await askUnit(prompts, header);
  const bounds = [...flags.bounds];
  const categories = [...flags.categories];
  const booleans = booleanColumns(flags);
  const declared = [
    ...bounds.map((word) => readBoundsWord(word)[0]),
    ...categories.map((word) => readCategoriesWord(word)[0]),
    ...booleans,
  ];
  for (const column of header.filter((name) => name !== unit && !declared.includes(name))) {
    const kind = await askKind(prompts, column);
    if (kind === "number" || kind === "integer" || kind === "time") {
      bounds.push(await askBounds(prompts, column, kind));
    } else if (kind === "categories") categories.push(await askCategories(prompts, column));
    else if (kind === "boolean") booleans.push(column);
  }
  const epsilon = await ask(prompts, {
    message: "The whole budget's ε",
    initialValue: flags.epsilon,
    validate: (text = "") => (isAboveZero(text.trim()) ? undefined : "a number above 0, such as 0.5 or 5"),
  });
  outro("Thank you.");
  const asked = booleans.length > 0 ? { booleans: booleans.join(",") } : {};
  return { ...flags, unit, bounds, categories, epsilon: epsilon.trim(), ...asked };
}

async function askUnit(prompts: Prompts, header: readonly string[]): Promise<string> {
  // A column called "row" cannot be told from the word; its owner names it in the policy, as { column: row }.
  const columns = header.filter((name) => name !== "row");
  return answered(
    prompts,
    await prompts.select({
      message: "Who is one unit?",
      options: [
        { value: "row", label: "each row is one person" },
        ...columns.map((name) => ({ value: name, label: `all rows with one ${printable(name)}` })),
      ],
    }),
  );
}

async function askKind(prompts: Prompts, column: string): Promise<string> {
  return answered(
    prompts,
    await prompts.select({
      message: `${printable(column)} is`,
      options: [
        { value: "text", label: "text whose values are private" },
        { value: "number", label: "a number between public bounds" },
        { value: "integer", label: "a whole number between public bounds" },
        { value: "time", label: "a date or a time between public bounds" },
        { value: "categories", label: "one of some public categories" },
        { value: "boolean", label: "true or false" },
      ],
    }),
  );
}

async function askBounds(
  prompts: Prompts,
  column: string,
  kind: "number" | "integer" | "time",
): Promise<string> {
  const word = (range = ""): string => `${column}=${kind === "integer" ? "int:" : ""}${range.trim()}`;
  const range = await ask(prompts, {
    message: `Bounds of ${printable(column)}`,
    placeholder: kind === "time" ? "2010-01-01..2029-12-31" : "0..60",
    validate: (text) => fixOf(() => readBoundsWord(word(text))),
  });
  return word(range);
}

async function askCategories(prompts: Prompts, column: string): Promise<string> {
  const list = await ask(prompts, {
    message: `Categories of ${printable(column)}`,
    placeholder: "red,green,other",
    validate: (text = "") => fixOf(() => readCategoriesWord(`${column}=${text}`)),
  });
  return `${column}=${list}`;
}

async function ask(prompts: Prompts, options: Parameters<Prompts["text"]>[0]): Promise<string> {
  return answered(prompts, await prompts.text(options));
}

function answered<T>({ isCancel, cancel }: Prompts, value: T): Exclude<T, symbol> {
  if (!isCancel(value)) return value as Exclude<T, symbol>;
  cancel("Cancelled.");
  throw new LetheError("cli.usage", "init was cancelled", { fix: "run it again; nothing was written" });
}

/**
 * Returns a fix for words that are refused; undefined for those that are accepted. When a question is asked again, nothing already answered is lost.
 */
function fixOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof LetheError ? error.fix : "this answer is not understood";
  }
}
