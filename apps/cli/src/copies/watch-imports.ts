import type { Policy } from "@lethe/query";
import type { Workspace } from "../workspace.ts";

/**
 * Returns what names the imports that are in force, for a service whose workers look for them at each question: those in Trino. Nothing where workers read what they opened. It reads no file, so that it may be asked at every
 * question.
 */
export async function watchImports(
  { state }: Workspace,
  policy: Policy,
): Promise<{ readonly imports?: () => string }> {
  if (policy.database?.kind !== "trino") return {};
  const { manifestsMark } = await import("@lethe/engine-trino");
  return { imports: () => manifestsMark(policy, state) };
}
