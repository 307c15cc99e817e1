import { type CompiledQuery, type Plan, withTrinoSeed } from "@lethe/query";
import type { ReferenceGroup } from "../reference-evaluator.ts";
import { askTrino, type TrinoCell } from "./ask-trino.ts";

/** Returns the groups that Trino finds by a compiled statement. */
export async function trinoGroups(query: CompiledQuery, plan: Plan, seed: string): Promise<ReferenceGroup[]> {
  const rows = await askTrino(withTrinoSeed(query.sql, seed)).catch((error: unknown) => {
    throw new Error(`${plan.text}: ${error}: ${query.sql}`);
  });
  return rows.map((row) => ({
    key: row.slice(0, query.keys).map((part, at) => keyPart(plan, at, part)),
    units: integer(row[query.keys]),
    sums: row.slice(query.keys + 1).map(integer),
  }));
}

const integer = (cell: TrinoCell | undefined): bigint => BigInt(cell as string);

function keyPart(plan: Plan, at: number, part: TrinoCell): ReferenceGroup["key"][number] {
  if (part === null) return null;
  // Behind the keys stands the cell of a tree.
  const domain = plan.keys.parts[at]?.expression.domain;
  if (domain === undefined || domain.type === "date" || domain.type === "timestamp")
    return BigInt(part as number);
  return domain.type === "number" && domain.integer ? BigInt(part as number) : part;
}
