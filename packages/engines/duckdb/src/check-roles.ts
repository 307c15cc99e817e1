import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Policy, refuseDoubleRoles } from "@lethe/query";
import { defaultLimits } from "./limits.ts";
import { sourcesRead } from "./sources-read.ts";

/**
 * Checks that no file, and no relation of a .duckdb file, stands in a policy in two roles, as far as the files are there. Reads no
 * row. Errors: policy.roles.
 * @example await checkRoles(readPolicy(text), ".", console.error)
 */
export async function checkRoles(
  policy: Policy,
  baseDirectory: string,
  log: (detail: string) => void,
): Promise<void> {
  const spill = mkdtempSync(join(tmpdir(), "lethe-roles-"));
  try {
    refuseDoubleRoles(policy, await sourcesRead(policy, baseDirectory, defaultLimits(spill), log));
  } finally {
    rmSync(spill, { recursive: true, force: true });
  }
}
