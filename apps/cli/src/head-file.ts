import { isAbsolute, relative, resolve, sep } from "node:path";
import { LetheError } from "@lethe/core";
import type { Policy } from "@lethe/query";
import type { Workspace } from "./workspace.ts";

/**
 * Finds the file that keeps the ledger's head. It is the one that the policy names, relative to the policy, else the one that was asked for;
 * where there is neither it is undefined. Whoever opens a policy's ledger asks here, so that the policy's word is never left out. A file that is
 * asked for beside that word must be the same one: if it won, a head file made of an older ledger would let that ledger pass.
 * Errors: parameter.invalid.
 */
export function headFileOf(
  { base, state }: Workspace,
  { budget }: Policy,
  asked?: string,
): string | undefined {
  const named = budget.headFile === null ? undefined : resolve(base, budget.headFile);
  const file = asked === undefined ? named : resolve(asked);
  if (file === undefined) return undefined;
  if (file !== (named ?? file))
    throw refused(
      `the policy keeps the ledger's head in ${named}, not in ${file}`,
      "leave it out: the policy's is used; or change budget.head_file in the policy",
    );
  if (isInside(state, file))
    throw refused(
      `${file} lies beside the ledger: a copy put back would bring its own head`,
      "keep the ledger's head on another disk, in a file that no backup of the ledger holds",
    );
  return file;
}

function isInside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
}

function refused(message: string, fix: string): LetheError {
  return new LetheError("parameter.invalid", message, { fix, fields: { name: "head file" } });
}
