import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, relative, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { readCsvHeader } from "@lethe/engine-duckdb";
import { createLedger } from "@lethe/ledger";
import {
  draftPolicy,
  lintPolicy,
  type Policy,
  readBoundsWord,
  readCategoriesWord,
  readPolicy,
  unitHash,
} from "@lethe/query";
import { createSeed } from "../seed.ts";
import { fileError, readText, type Workspace, workspaceOf } from "../workspace.ts";
import type { InitFlags } from "./init-flags.ts";
import { askMissingWords } from "./init-questions.ts";

/** lethe init: drafts the policy, opens the ledger. Reads a CSV's header, never its values. Overwrites nothing. */
export async function init(file: string | undefined, flags: InitFlags): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  if (file !== undefined) await writePolicy(file, flags, workspace);
  const policy = readPolicy(readText(workspace.policyPath, "the policy"));
  await openAccount(workspace, policy);
  for (const { message } of lintPolicy(policy)) console.log(`advice: ${message}`);
  const source = Object.values(policy.tables)[0]?.file ?? "";
  const next =
    extname(source) === ".csv" ? `lethe import ${source}` : 'lethe explain "SELECT COUNT(*) FROM …"';
  console.log(`Read the policy, then: ${next}`);
}

async function writePolicy(file: string, flags: InitFlags, workspace: Workspace): Promise<void> {
  if (existsSync(workspace.policyPath)) {
    throw new LetheError("cli.file", `${workspace.policyPath} exists, and init never overwrites a policy`, {
      fix: "edit it, or name another with --policy; lethe init without a file opens its ledger",
    });
  }
  const isCsv = extname(file).toLowerCase() === ".csv";
  const header = isCsv
    ? readCsvHeader(file, { delimiter: flags.delimiter, quote: '"' })
    : declaredColumns(flags);
  const words = await askMissingWords(flags, header);
  const yaml = draftPolicy({
    table: words.table ?? tableName(file),
    file: relative(workspace.base, resolve(file)),
    header,
    unit: words.unit,
    unitName: words.unitName,
    adjacency: words.adjacency,
    bounds: Object.fromEntries(words.bounds.map(readBoundsWord)),
    categories: Object.fromEntries(words.categories.map(readCategoriesWord)),
    types: Object.fromEntries(
      (words.booleans?.split(",") ?? []).map((column) => [column.trim(), "boolean" as const]),
    ),
    delimiter: words.delimiter,
    budget: {
      measure: words.measure,
      epsilon: words.epsilon,
      ...(words.measure === "pure" ? {} : { delta: words.delta }),
    },
    ...(words.maxGroups === undefined ? {} : { maxGroups: Number(words.maxGroups) }),
    ...(words.maxRows === undefined ? {} : { maxRowsPerGroup: Number(words.maxRows) }),
    ...(words.expectedRows === undefined ? {} : { expectedRows: Number(words.expectedRows) }),
  });
  readPolicy(yaml); // what init writes must be a policy
  try {
    mkdirSync(workspace.base, { recursive: true });
    writeFileSync(workspace.policyPath, yaml, { flag: "wx" });
  } catch (error) {
    throw fileError("write", workspace.policyPath, "the policy", error);
  }
  console.log(
    `Wrote ${relative(process.cwd(), workspace.policyPath)} from the header and your words; no value was read.`,
  );
}

/** A Parquet or DuckDB file says its columns only to who opens it; the owner names those that may be asked about. */
function declaredColumns({ unit, bounds, categories, booleans }: InitFlags): string[] {
  const names = [
    ...bounds.map((word) => readBoundsWord(word)[0]),
    ...categories.map((word) => readCategoriesWord(word)[0]),
    ...(booleans?.split(",").map((name) => name.trim()) ?? []),
    ...(unit === undefined || unit === "row" ? [] : [unit]),
  ];
  return [...new Set(names)];
}

function tableName(file: string): string {
  return basename(file, extname(file)).replace(/[^\p{L}\p{N}_]+/gu, "_");
}

async function openAccount(workspace: Workspace, policy: Policy): Promise<void> {
  mkdirSync(workspace.state, { recursive: true, mode: 0o700 });
  const ledger = await createLedger(workspace.ledger, {
    budget: policy.budget,
    policyHash: unitHash(policy),
    source: basename(dirname(workspace.policyPath)) || "data",
    clock: Date.now,
  });
  await ledger.close();
  if (!existsSync(workspace.seed)) createSeed(workspace.seed);
  console.log(
    `Opened the ledger in ${relative(process.cwd(), workspace.ledger)}; its public key is ledger.pub.`,
  );
}
