import { LetheError } from "@lethe/core";
import { type BudgetReport, type ScopeName, scopeWords } from "@lethe/ledger";

/** The options that name a scope. An analyst and a project together name the analyst within the project. */
export interface ScopeFlags {
  readonly account?: true;
  readonly analyst?: string;
  readonly project?: string;
  readonly dataSet?: string;
}

/** Returns the scope that options name. Errors: cli.usage where they name none, or more than one. */
export function scopeNamed({ account, analyst, project, dataSet }: ScopeFlags): ScopeName {
  const groups = [account, analyst ?? project, dataSet].filter((each) => each !== undefined);
  if (groups.length !== 1)
    throw new LetheError(
      "cli.usage",
      groups.length === 0 ? "no scope is named" : "more than one scope is named",
      {
        fix: "write --account, --analyst NAME, --project NAME, --analyst NAME --project NAME, or --data-set NAME",
      },
    );
  if (dataSet !== undefined) return ["dataset", dataSet];
  if (analyst !== undefined)
    return project === undefined ? ["analyst", analyst] : ["member", analyst, project];
  return project === undefined ? ["account"] : ["project", project];
}

/** Refuses a scope that the account does not have, so that no record is about a name that was typed wrong. Errors: parameter.invalid. */
export function requireScope(scope: ScopeName, { scopes }: Pick<BudgetReport, "scopes">): void {
  if (scopes.some((each) => scopeWords(each.scope) === scopeWords(scope))) return;
  throw new LetheError("parameter.invalid", `${scopeWords(scope)} is no scope of this account`, {
    fix: `name one of these: ${scopes.map((each) => scopeWords(each.scope)).join(", ")}`,
    fields: { name: "scope" },
  });
}
