import { LetheError, parseRational } from "@lethe/core";
import { compare, one, zero } from "@lethe/core/numeric";
import { readBoundsWord, readCategoriesWord } from "@lethe/query";
import type { InitFlags } from "./init-flags.ts";

/** Refuses words that say nothing, or two things, before anything is asked or written. Errors: cli.usage, naming the option. */
export function checkInitWords(flags: InitFlags): void {
  if ([...flags.delimiter].length !== 1) {
    throw usage(
      "--delimiter must be one character",
      'write --delimiter ";" or --delimiter "$(printf \'\\t\')"',
    );
  }
  checkColumns(flags);
  checkContribution(flags);
  checkNumber("--epsilon", flags.epsilon);
  if (flags.measure !== "pure") {
    checkNumber("--delta", flags.delta);
    if (compare(parseRational(flags.delta), one) >= 0)
      throw usage("--delta must be below 1", "write --delta 1e-6");
  }
}

/** The columns that --booleans names. */
export function booleanColumns({ booleans }: InitFlags): string[] {
  return booleans?.split(",").map((column) => column.trim()) ?? [];
}

function checkColumns(flags: InitFlags): void {
  const declared = [
    ...flags.bounds.map((word) => readBoundsWord(word)[0]),
    ...flags.categories.map((word) => readCategoriesWord(word)[0]),
    ...booleanColumns(flags),
  ];
  if (declared.includes("")) throw usage("--booleans names no column", "write --booleans married,employed");
  const twice = declared.find((column, at) => declared.indexOf(column) !== at);
  if (twice !== undefined)
    throw usage(
      `the column ${twice} is declared twice`,
      "state one of --bounds, --categories, --booleans for it, once",
    );
  if (flags.unit !== undefined && flags.unit !== "row" && declared.includes(flags.unit))
    throw usage(
      `the column ${flags.unit} names the unit, and so has no bounds or categories`,
      "leave it out of --bounds, --categories and --booleans",
    );
}

function checkContribution({ unit, maxGroups, maxRows, limit, expectedRows }: InitFlags): void {
  if (unit === "row" && limit !== undefined)
    throw usage(
      "--limit is for units with many rows; with --unit row there is nothing to limit",
      "leave --limit out, or name the column of the unit: --unit COLUMN",
    );
  for (const [option, text] of [
    ["--max-groups", maxGroups],
    ["--max-rows", maxRows],
    ["--expected-rows", expectedRows],
  ] as const) {
    if (text === undefined) continue;
    if (!/^[1-9]\d{0,14}$/.test(text))
      throw usage(`${option} must be a whole number, at least 1, got ${text}`, `write ${option} 3`);
    if (unit === "row" && option !== "--expected-rows")
      throw usage(
        `${option} is for units with many rows; with --unit row each row is one unit in one group`,
        `leave ${option} out, or name the column of the unit: --unit COLUMN`,
      );
  }
}

function checkNumber(option: string, text: string): void {
  if (!isAboveZero(text))
    throw usage(`${option} must be a number above 0, got ${text}`, `write ${option} 0.5, 1e-6 or 1/3`);
}

/** Whether a text is an exact number above 0. */
export function isAboveZero(text: string): boolean {
  try {
    return compare(parseRational(text), zero) > 0;
  } catch {
    return false;
  }
}

function usage(message: string, fix: string): LetheError {
  return new LetheError("cli.usage", message, { fix });
}
