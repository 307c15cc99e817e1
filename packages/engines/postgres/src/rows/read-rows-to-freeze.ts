import { cleanedSelect, postgres, type RowsToFreeze, type TablePolicy } from "@lethe/query";
import type { PoolClient } from "pg";
import { eachRow } from "./each-row.ts";

/** A table as its engine found it: where it lies, and the native types of what the policy reads. */
export interface FoundTable {
  readonly policy: TablePolicy;
  readonly relation: readonly [string, string];
  readonly types: Readonly<Record<string, string>>;
  readonly sources: readonly string[] | null;
}

/** Reads a table for another engine to keep, in the transaction that the client is in. Rejects with whatever the database says. */
export async function rowsToFreeze(
  client: PoolClient,
  { policy, relation, types, sources }: FoundTable,
  stop: () => void,
): Promise<RowsToFreeze> {
  const from = relation.map(postgres.identifier).join(".");
  const columns = Object.keys(policy.columns);
  const counts = ["count(*)", ...columns.map((name) => `count(${postgres.identifier(name)})`)];
  const counted = await client.query<string[]>({
    text: `SELECT ${counts.join(", ")} FROM ${from}`,
    rowMode: "array",
  });
  const [rows, ...present] = (counted.rows[0] ?? []).map(Number);
  if (rows === undefined) throw new Error("no counts of rows came back");
  return {
    sources,
    rows,
    present: Object.fromEntries(columns.map((name, at) => [name, present[at] ?? 0])),
    read: (take) =>
      eachRow(
        client,
        { sql: cleanedSelect(policy, from, postgres, types), needsSeed: false },
        "",
        stop,
        () => take,
      ),
  };
}
