import { LetheError } from "@lethe/core";
import { type Policy, policyHash, type TablePolicy } from "@lethe/query";
import { policyOf, type Workspace, workspaceOf } from "../workspace.ts";

/** The place of the other data of a pair, and the policy that names it. */
export interface Neighbour {
  readonly workspace: Workspace;
  readonly policy: Policy;
}

/**
 * Returns the same policy over other data. The seed decides whose rows are kept where a unit has too many, so the neighbour is read under the
 * policy's own seed. Errors: cli.usage where the policies differ in more than in where the tables lie; policyOf's.
 */
export function neighbourOf(own: Workspace, policy: Policy, path: string): Neighbour {
  const other = workspaceOf(path);
  if (other.policyPath === own.policyPath) {
    throw new LetheError("cli.usage", "--neighbour names the policy itself", {
      fix: "name a copy of the policy over data that differ in one unit",
    });
  }
  const neighbour = policyOf(other);
  if (policyHash(wherever(neighbour)) !== policyHash(wherever(policy))) {
    throw new LetheError("cli.usage", "the neighbour's policy differs in more than in where the tables lie", {
      fix: "copy the policy, and change only file, csv, relation or url_env",
      fields: { policy: own.policyPath, neighbour: other.policyPath },
    });
  }
  return { workspace: { ...other, seed: own.seed }, policy: neighbour };
}

/** Returns the policy without the places of its tables. */
function wherever(policy: Policy): Policy {
  const nowhere = { file: null, relation: null, csv: { delimiter: ",", quote: '"', header: true } };
  const tables = Object.entries(policy.tables).map(
    ([name, table]) => [name, { ...table, ...nowhere } satisfies TablePolicy] as const,
  );
  return { ...policy, database: null, tables: Object.fromEntries(tables) };
}
