import { parseRational, type Rational } from "@lethe/core";
import type { ImportReport } from "@lethe/engine-duckdb";
import { type BudgetReport, type Grant, grant as grantIn } from "@lethe/ledger";
import { lintPolicy, type PolicyWarning } from "@lethe/query";
import { requireOwnBudget } from "../account-policy.ts";
import { headFileOf } from "../head-file.ts";
import { policyOf, workspaceOf } from "../workspace.ts";
import { type ImportHow, importTables as importInto } from "./import-tables.ts";
import { type MadeAccount, openAccount } from "./open-account.ts";

/** The result of `init`: what it made, and advice on the policy before anybody asks. */
export interface Initialized {
  readonly made: MadeAccount;
  readonly advice: readonly PolicyWarning[];
}

/**
 * Begins the ledger of a policy that is written, as `lethe init` without a file does. Reads no data and overwrites nothing. Errors: policy.*; ledger.exists.
 * @example await init("lethe.yaml");
 */
export async function init(policyPath = "lethe.yaml"): Promise<Initialized> {
  const workspace = workspaceOf(policyPath);
  const policy = policyOf(workspace);
  return { made: await openAccount(workspace, policy), advice: lintPolicy(policy) };
}

/** The tables that are imported, and how. */
export interface ImportTablesOptions extends ImportHow {
  /** All of the policy unless stated. */
  readonly tables?: readonly string[];
}

/**
 * Freezes tables, as `lethe import` does; whoever opens the policy afterwards reads the snapshots. The reports hold exact numbers: they are for the owner alone.
 * Errors: policy.*, ledger.*, query.unknown-table, engine.*.
 * @example const [{ rows }] = await importTables("lethe.yaml", { tables: ["people"] });
 */
export async function importTables(
  policyPath = "lethe.yaml",
  { tables, ...how }: ImportTablesOptions = {},
): Promise<readonly ImportReport[]> {
  const workspace = workspaceOf(policyPath);
  const policy = policyOf(workspace);
  await requireOwnBudget(workspace, policy);
  return importInto(workspace, policy, tables ?? Object.keys(policy.tables), how);
}

/** An addition to the budget. Numbers may be texts ("0.1", "1/3"), which are read exactly. */
export interface GrantOptions extends Pick<Grant, "analyst" | "failures" | "reason"> {
  readonly epsilon?: number | string;
  readonly rho?: number | string;
  readonly delta?: number | string;
  /** The file that keeps the ledger's head, where the policy names none: see {@link OpenOptions}. */
  readonly headFile?: string;
}

/**
 * Raises a cap, as `lethe budget grant` does: it is a record of the ledger, with its reason, for ever. Errors: policy.*, ledger.*, parameter.invalid.
 * @example await grant("lethe.yaml", { epsilon: "0.5", reason: "the board agreed on 3 May" });
 */
export async function grant(
  policyPath: string,
  { epsilon, rho, delta, headFile, ...more }: GrantOptions,
): Promise<BudgetReport> {
  const workspace = workspaceOf(policyPath);
  const policy = policyOf(workspace);
  const amount = <Name extends string>(name: Name, stated: number | string | undefined) =>
    (stated === undefined ? {} : { [name]: parseRational(String(stated), name) }) as Partial<
      Record<Name, Rational>
    >;
  const added: Grant = {
    ...more,
    ...amount("epsilon", epsilon),
    ...amount("rho", rho),
    ...amount("delta", delta),
  };
  const clock = Date.now;
  return grantIn(workspace.ledger, added, { clock, headFile: headFileOf(workspace, policy, headFile) });
}
