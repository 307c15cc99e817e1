import { functionNames, keywords, type TableDescription } from "@lethe/query";

/** The commands of the REPL, with what each does. */
export const commands: readonly (readonly [form: string, does: string])[] = [
  ["\\d", "list what may be asked: tables and views, by the policy"],
  ["\\d TABLE", "describe one: unit, columns, bounds, categories, questions to begin with"],
  ["\\explain [QUESTION]", "tell plan, price and expected error of a question, or of the last one; free"],
  ["\\budget", "show what is granted, spent and left, and every charge"],
  ["\\epsilon [NUMBER]", "set the price of the questions that state none; default: back to the policy's"],
  [
    "\\auto on LIMIT",
    "pay without asking until so much has been spent in this session; \\auto off asks again",
  ],
  ["\\verbose on", "show every note of an answer; \\verbose off"],
  ["\\?", "show this list"],
  ["\\q", "leave; so does Ctrl-D"],
];

const names = commands.map(([form]) => form.split(" ")[0] ?? "");

/**
 * Returns the completions of a line's last word, by the policy alone: tables behind FROM, columns of the tables that the statement names, categories
 * within quotes, functions and keywords. `before` is the part of the statement that was typed in earlier lines.
 */
export function completer(
  tables: readonly TableDescription[],
): (before: string, line: string) => [string[], string] {
  const functions = functionNames();
  const tableNames = tables.map(({ name }) => name);
  return (before, line) => {
    const command = before === "" ? /^\s*(\\\S*)$/.exec(line)?.[1] : undefined;
    if (command !== undefined) return matching([...new Set(names)], command);
    const text = `${before}${line}`;
    const named = tables.filter(({ name }) => holdsWord(text, name));
    const read = named.length > 0 ? named : tables;

    const quoted =
      /([\p{L}_][\p{L}\d_]*)"?\s*(?:=|<>|!=|\bnot\s+in\s*\([^()]*|\bin\s*\([^()]*)\s*'([^']*)$/iu.exec(text);
    if (quoted) return matching(categoriesOf(quoted[1] ?? "", read), quoted[2] ?? "");

    const word = /[\p{L}\d_$]*$/u.exec(text)?.[0] ?? "";
    const rest = text.slice(0, text.length - word.length);
    const qualifier = /([\p{L}_][\p{L}\d_]*)"?\.$/u.exec(rest)?.[1];
    if (qualifier !== undefined) return matching(columnsOf(tableCalled(qualifier, text, tables)), word);
    if (/(?:\b(?:from|join|describe|desc|table)|^\s*\\d)\s+$/i.test(rest)) return matching(tableNames, word);
    if (word === "") return named.length > 0 ? [columnsOf(named), ""] : [[], ""];
    const shout = word === word.toLowerCase() ? keywords.map((each) => each.toLowerCase()) : keywords;
    return matching(
      [...columnsOf(read), ...tableNames, ...shout, ...functions.map((each) => `${each}(`)],
      word,
    );
  };
}

function matching(candidates: readonly string[], word: string): [string[], string] {
  const begun = word.toLowerCase();
  const found = candidates.filter((each) => each.toLowerCase().startsWith(begun));
  return [[...new Set(found)], word];
}

function columnsOf(tables: readonly TableDescription[]): string[] {
  return [...new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name)))];
}

function categoriesOf(column: string, tables: readonly TableDescription[]): string[] {
  const found = tables.flatMap(({ columns }) => columns.filter(({ name }) => isSame(name, column)));
  return found.flatMap(
    ({ categories }) => categories?.map((each) => String(each).replaceAll("'", "''")) ?? [],
  );
}

/** The tables that a qualifier means: by their name, or by an alias that the statement gives them. */
function tableCalled(
  qualifier: string,
  text: string,
  tables: readonly TableDescription[],
): readonly TableDescription[] {
  const own = tables.filter(({ name }) => isSame(name, qualifier));
  if (own.length > 0) return own;
  const words = text.match(/[\p{L}\d_$]+/gu) ?? [];
  const meant = words.filter((_, at) => {
    const alias = isSame(words[at + 1] ?? "", "as") ? words[at + 2] : words[at + 1];
    return alias !== undefined && isSame(alias, qualifier);
  });
  return tables.filter(({ name }) => meant.some((each) => isSame(each, name)));
}

function holdsWord(text: string, word: string): boolean {
  const words: readonly string[] = text.toLowerCase().match(/[\p{L}\d_$]+/gu) ?? [];
  return words.includes(word.toLowerCase());
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
