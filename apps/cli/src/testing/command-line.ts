import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ErrorCode, LetheError } from "@lethe/core";
import { run } from "../program.ts";
import { reportError } from "../report-error.ts";

/** The result of one command: its standard output, and the report of its error as a user reads it. */
export interface Said {
  readonly out: string;
  readonly error: string;
  /** The error's code, null where it went well; "not ours" would print the sentence for what must never happen. */
  readonly code: ErrorCode | "not ours" | null;
}

/** Runs one command line in this process, in the folder where the process is. */
export async function lethe(...argv: string[]): Promise<Said> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (text: string) => void lines.push(text);
  try {
    await run(argv);
    return { out: lines.join("\n"), error: "", code: null };
  } catch (error) {
    const code = error instanceof LetheError ? error.code : "not ours";
    return { out: lines.join("\n"), error: reportError(error), code };
  } finally {
    console.log = log;
  }
}

/** Returns the number of charges in the ledger of the folder where the process is. */
export async function charges(): Promise<number> {
  return JSON.parse((await lethe("budget", "--format", "json")).out).charges.length;
}

/** Runs `work` inside a new folder that holds these files, and removes it after. */
export async function inFolder<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const home = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "lethe-cli-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  process.chdir(folder);
  try {
    return await work(folder);
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  }
}

const sectors = ["manufacturing", "construction", "other"] as const;

/** A table of 60 people, made up; every wage, and every city, is a word that nothing else contains. */
export const peopleCsv: string = `wage,sector,city\n${Array.from(
  { length: 60 },
  (_, i) => `${10 + (i % 40)}.73${i % 10},${sectors[i % 3]},Secretville${i % 4}`,
).join("\n")}\n`;

/** Matches a value of {@link peopleCsv}: no output may hold one. */
export const secret: RegExp = /\d\d\.73\d|Secretville/;

/** Runs init and import of {@link peopleCsv}, as the README does it. */
export async function setUp(...more: string[]): Promise<void> {
  const words = ["--bounds", "wage=0..60", "--categories", "sector=manufacturing,construction,other"];
  const made = await lethe("init", "people.csv", "--unit", "row", ...words, ...more);
  if (made.code !== null) throw new Error(made.error);
  const imported = await lethe("import");
  if (imported.code !== null) throw new Error(imported.error);
}
