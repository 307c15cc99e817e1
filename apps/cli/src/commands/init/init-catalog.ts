import { relative, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { type Catalog, draftFromCatalog, readBoundsWord, readCategoriesWord } from "@lethe/query";
import { databaseUrl } from "../../database/database-url.ts";
import { printable } from "../../render/printable.ts";
import { say } from "../../render/say.ts";
import type { Workspace } from "../../workspace.ts";
import { checkInitWords } from "./check-init-words.ts";
import type { InitFlags } from "./init-flags.ts";
import { frameOf, readBack } from "./init-frame.ts";

/** The policy's YAML over what a database declares: its catalog alone is read. Errors: cli.usage, engine.source, policy.invalid. */
export async function draftOfDatabase(
  file: string | undefined,
  flags: InitFlags,
  workspace: Workspace,
): Promise<string> {
  checkInitWords(flags);
  refuseWordsOfOneFile(flags);
  const urlVariable = variableOf(flags);
  const proposal = draftFromCatalog({
    ...frameOf(flags),
    catalog: file === undefined ? await postgresCatalog(urlVariable) : await duckDbCatalog(file),
    source:
      file === undefined
        ? { kind: "postgres", urlVariable }
        : { kind: "duckdb", file: relative(workspace.base, resolve(file)) },
    unit: flags.unit,
    only: flags.table ?? [],
    bounds: flags.bounds.map(readBoundsWord),
    categories: flags.categories.map(readCategoriesWord),
  });
  const yaml = readBack(proposal.yaml);
  const { severalWays, undecided } = proposal;
  if (severalWays.length > 0)
    say(
      `advice: ${list(severalWays)}: several declared keys lead to the unit; one was written, and the others are in comments beside it`,
    );
  if (undecided.length > 0)
    say(
      `advice: ${list(undecided)}: no declared key says whose the rows are; they are in comments, for you to complete or to delete`,
    );
  return yaml;
}

function list(names: readonly string[]): string {
  const rest = names.length > 12 ? ` and ${names.length - 12} more` : "";
  return `${names.slice(0, 12).map(printable).join(", ")}${rest}`;
}

/** The variable that holds the URL. Errors: cli.usage for what is no variable's name; it is not repeated, for it may be a URL. */
function variableOf({ postgres }: InitFlags): string {
  if (postgres === undefined || postgres === true) return "LETHE_DATABASE_URL";
  if (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(postgres)) return postgres;
  throw new LetheError("cli.usage", "--postgres takes the name of an environment variable, not a URL", {
    fix: "a policy is no place for a password: export LETHE_DATABASE_URL=postgres://role@host/database, then lethe init --postgres",
  });
}

async function postgresCatalog(urlVariable: string): Promise<Catalog> {
  const url = databaseUrl({ kind: "postgres", urlVariable });
  const { describePostgres } = await import("@lethe/engine-postgres");
  return describePostgres(url);
}

async function duckDbCatalog(file: string): Promise<Catalog> {
  const { describeDuckDb } = await import("@lethe/engine-duckdb");
  return describeDuckDb(file);
}

function refuseWordsOfOneFile({ booleans, expectedRows, delimiter }: InitFlags): void {
  const refuse = (option: string, fix: string): never => {
    throw new LetheError("cli.usage", `${option} is for a file of one table`, { fix });
  };
  if (booleans !== undefined)
    refuse("--booleans", "leave it out: the database's types say which columns are");
  if (expectedRows !== undefined)
    refuse("--expected-rows", "write expected_rows below each table of the policy");
  if (delimiter !== ",") refuse("--delimiter", "leave it out: a database has none");
}
