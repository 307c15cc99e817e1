import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, relative, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { readCsvHeader } from "@lethe/engine-duckdb";
import { draftPolicy, lintPolicy, type Policy, readBoundsWord, readCategoriesWord } from "@lethe/query";
import { openAccount } from "../../owner/open-account.ts";
import { printable } from "../../render/printable.ts";
import { say } from "../../render/say.ts";
import { fileError, policyOf, type Workspace, workspaceOf } from "../../workspace.ts";
import { booleanColumns, checkInitWords } from "./check-init-words.ts";
import { draftOfDatabase } from "./init-catalog.ts";
import type { InitFlags } from "./init-flags.ts";
import { frameOf, readBack } from "./init-frame.ts";
import { askMissingWords } from "./init-questions.ts";

/** lethe init: drafts the policy, opens the ledger. Reads a CSV's header or a database's catalog, never a value. Overwrites nothing. */
export async function init(file: string | undefined, flags: InitFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  if (file !== undefined && flags.postgres !== undefined)
    throw new LetheError("cli.usage", "init drafts from a file or from a database, not from both", {
      fix: "leave out the file, or --postgres",
    });
  if (file !== undefined || flags.postgres !== undefined) await writePolicy(file, flags, workspace);
  else if (!existsSync(workspace.policyPath))
    throw new LetheError(
      "cli.usage",
      `there is neither a data file to draft from nor a policy ${flags.policy}`,
      {
        fix: "name the data: lethe init people.csv, or lethe init --postgres",
      },
    );
  const policy = policyOf(workspace);
  const made = await openAccount(workspace, policy);
  const place = relative(process.cwd(), workspace.ledger);
  say(
    made === "ledger"
      ? `Opened the ledger in ${place}; its public key is ledger.pub.`
      : `Kept the ledger in ${place}, and made a new secret seed beside it.`,
  );
  for (const { path, message, fix } of lintPolicy(policy)) say(`advice: ${path}: ${message}\n  ${fix}`);
  say(`Read the policy, then: ${nextCommand(policy, flags.policy, workspace)}`);
}

/** Returns the command to type next, from the folder that the user is in. */
function nextCommand(policy: Policy, policyFlag: string, workspace: Workspace): string {
  const [first] = Object.entries(policy.tables);
  if (first === undefined) {
    throw new LetheError("internal.invariant", "a policy without a table was read", {
      fix: "report this as a defect",
    });
  }
  const [name, { file }] = first;
  const source = file ?? "";
  const option = policyFlag === "lethe.yaml" ? "" : ` --policy ${policyFlag}`;
  return extname(source).toLowerCase() === ".csv"
    ? `lethe import ${relative(process.cwd(), resolve(workspace.base, source))}${option}`
    : `lethe explain ${counted(name)} --epsilon 0.5${option}`;
}

/** Returns a question that counts a table, quoted for a shell. */
function counted(table: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(table)) return `"SELECT COUNT(*) FROM ${table}"`;
  const quoted = `SELECT COUNT(*) FROM "${table.replaceAll('"', '""')}"`;
  return `'${printable(quoted).replaceAll("'", "'\\''")}'`;
}

async function writePolicy(file: string | undefined, flags: InitFlags, workspace: Workspace): Promise<void> {
  refuseExisting(workspace);
  const isDatabase = file === undefined || extname(file).toLowerCase() === ".duckdb";
  const yaml = isDatabase
    ? await draftOfDatabase(file, flags, workspace)
    : await draftOfFile(file, flags, workspace);
  try {
    mkdirSync(workspace.base, { recursive: true });
    writeFileSync(workspace.policyPath, yaml, { flag: "wx" });
  } catch (error) {
    throw fileError("write", workspace.policyPath, "the policy", error);
  }
  const source = isDatabase ? "the database's catalog" : "the header";
  say(
    `Wrote ${relative(process.cwd(), workspace.policyPath)} from ${source} and your words; no ${isDatabase ? "row" : "value"} was read.`,
  );
}

async function draftOfFile(file: string, flags: InitFlags, workspace: Workspace): Promise<string> {
  checkInitWords(flags);
  const header = columnsOf(file, flags);
  const words = await askMissingWords(flags, header);
  checkInitWords(words);
  const yaml = draft(file, words, header, workspace);
  if (header.some((name) => Number.isFinite(Number(name))))
    say(
      "advice: a column's name is a number. If the first line is data, not names: put a line of names above it, remove the policy and its .lethe folder, and run init again",
    );
  return yaml;
}

/** A new policy is for a new ledger: both are refused before one of them is written. */
function refuseExisting({ policyPath, base, ledger }: Workspace): void {
  if (existsSync(base) && !statSync(base).isDirectory()) {
    throw new LetheError("cli.file", `cannot write the policy ${policyPath}: ${base} is not a folder`, {
      fix: "name a file in a folder with --policy",
    });
  }
  if (existsSync(policyPath)) {
    throw new LetheError("cli.file", `${policyPath} exists, and init never overwrites a policy`, {
      fix: "edit it, or name another with --policy; lethe init without a file opens its ledger",
    });
  }
  if (existsSync(ledger) && readdirSync(ledger).length > 0) {
    throw new LetheError("ledger.exists", `${ledger} holds the ledger of another policy`, {
      fix: "restore the policy it belongs to, or write a new one into another folder: --policy FOLDER/lethe.yaml",
      fields: { path: ledger },
    });
  }
}

function columnsOf(file: string, flags: InitFlags): string[] {
  const kind = extname(file).toLowerCase();
  if (![".csv", ".parquet", ".duckdb"].includes(kind))
    throw new LetheError("cli.usage", `${file || '""'} is not a kind of file that Lethe reads`, {
      fix: "name a .csv, .parquet or .duckdb file",
    });
  if (kind === ".csv") return readCsvHeader(file, { delimiter: flags.delimiter, quote: '"' });
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw fileError("read", file, "the data", error);
  }
  const columns = declaredColumns(flags);
  if (columns.length > 0) return columns;
  throw new LetheError(
    "cli.usage",
    `init does not look into ${kind} files, so it knows no column of ${file}`,
    {
      fix: "name those that may be asked: --bounds wage=0..60, --categories sector=a,b, --booleans married, --unit COLUMN",
    },
  );
}

/** A Parquet file says its columns only to who opens it; the owner names those that may be asked about. */
function declaredColumns(flags: InitFlags): string[] {
  const { unit, bounds, categories } = flags;
  const names = [
    ...bounds.map((word) => readBoundsWord(word)[0]),
    ...categories.map((word) => readCategoriesWord(word)[0]),
    ...booleanColumns(flags),
    ...(unit === undefined || unit === "row" ? [] : [unit]),
  ];
  return [...new Set(names)];
}

/** The policy's YAML, which was read back: what init writes must be a policy. */
function draft(
  file: string,
  words: InitFlags & { readonly unit: string },
  header: readonly string[],
  workspace: Workspace,
): string {
  const yaml = draftPolicy({
    ...frameOf(words),
    table: oneTable(words) ?? tableName(file),
    file: relative(workspace.base, resolve(file)),
    header,
    unit: words.unit,
    bounds: Object.fromEntries(words.bounds.map(readBoundsWord)),
    categories: Object.fromEntries(words.categories.map(readCategoriesWord)),
    types: Object.fromEntries(booleanColumns(words).map((column) => [column, "boolean" as const])),
    delimiter: words.delimiter,
    ...(words.expectedRows === undefined ? {} : { expectedRows: Number(words.expectedRows) }),
  });
  return readBack(yaml);
}

function oneTable({ table }: InitFlags): string | undefined {
  if (table === undefined || table.length === 1) return table?.[0];
  throw new LetheError("cli.usage", "--table names several tables, and the file holds one", {
    fix: "name one: lethe init people.csv --table people",
  });
}

function tableName(file: string): string {
  return basename(file, extname(file)).replace(/[^\p{L}\p{N}_]+/gu, "_");
}
