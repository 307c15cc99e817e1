import type { Policy } from "@lethe/query";
import type { ModelColumn } from "../../model/model.ts";
import { readColumn } from "../../model/read-columns.ts";

/**
 * Returns columns of a table or view of a policy as a description names them: numbers by their bounds, categories by the policy's values.
 * Errors: those of resolving, and model.invalid for a column without public bounds or categories.
 * @example const [target, ...features] = await columnsFromPolicy("people", ["member", "age"], policy);
 */
export async function columnsFromPolicy(
  source: string,
  names: readonly string[],
  policy: Policy,
): Promise<readonly ModelColumn[]> {
  const columns: ModelColumn[] = [];
  for (const name of names) columns.push(await readColumn(source, name, policy));
  return columns;
}
