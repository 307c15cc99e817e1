import { parseRational } from "@lethe/core";
import { type Grant, grant, openLedger } from "@lethe/ledger";
import { readPolicy, unitHash } from "@lethe/query";
import { renderBudget } from "../render/budget.ts";
import { readText, workspaceOf } from "../workspace.ts";

interface BudgetFlags {
  readonly policy: string;
  readonly format: "table" | "json";
}

/** lethe budget */
export async function budget({ policy, format }: BudgetFlags): Promise<void> {
  const ledger = await openLedger(workspaceOf(policy).ledger, { clock: Date.now });
  try {
    const report = await ledger.report();
    console.log(format === "json" ? JSON.stringify(report, textOfBigint, 2) : renderBudget(report));
  } finally {
    await ledger.close();
  }
}

interface GrantFlags {
  readonly policy: string;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  readonly failures?: string;
  readonly analyst?: string;
  readonly acceptPolicy?: boolean;
  readonly reason: string;
}

/** lethe budget grant: a raised cap is a record of the ledger like any other. */
export async function grantBudget(flags: GrantFlags): Promise<void> {
  const { epsilon, rho, delta, failures, analyst, acceptPolicy, reason } = flags;
  const workspace = workspaceOf(flags.policy);
  const added: Grant = {
    ...(epsilon === undefined ? {} : { epsilon: parseRational(epsilon, "epsilon") }),
    ...(rho === undefined ? {} : { rho: parseRational(rho, "rho") }),
    ...(delta === undefined ? {} : { delta: parseRational(delta, "delta") }),
    ...(failures === undefined ? {} : { failures: Number(failures) }),
    ...(analyst === undefined ? {} : { analyst }),
    ...(acceptPolicy
      ? { policyHash: unitHash(readPolicy(readText(workspace.policyPath, "the policy"))) }
      : {}),
    reason,
  };
  console.log(renderBudget(await grant(workspace.ledger, added, { clock: Date.now })));
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
