import {
  numberColumn,
  placeColumn,
  placedSelect,
  snapshotSelect,
  type TablePolicy,
  type TableStorage,
  trino,
  unitColumn,
  withTrinoSeed,
} from "@lethe/query";
import type { AskCatalog } from "../check-server.ts";
import { quoteName, quoteRelation, quoteText } from "../quote.ts";
import type { TrinoRelation } from "../relation-name.ts";
import { stateOf } from "./snapshot-in-force.ts";

/** What was written. The number of rows is data. */
export interface WrittenSnapshot {
  readonly state: string;
  readonly rows: string;
  readonly unitNumbers: boolean;
}

/**
 * Writes a table's snapshot by one CREATE TABLE AS, by a user that may: numbers on their grid, clamped, cleaned texts, the unit's name and number, and where rows name units each row's place among
 * its unit's rows. Iceberg keeps Parquet sorted so that the places and units of a question lie together. Rejects with whatever Trino says, and leaves no table then.
 */
export async function writeSnapshot(
  ask: AskCatalog,
  policy: TablePolicy,
  source: Pick<TableStorage, "relation" | "types">,
  target: TrinoRelation,
  seed: string,
): Promise<WrittenSnapshot> {
  const name = quoteRelation(target);
  const cleaned = snapshotSelect(policy, quoteRelation(source.relation), trino, source.types);
  const owned = policy.unit.kind === "column";
  const rows = owned ? placedSelect(policy, `(${cleaned})`, trino) : cleaned;
  const order = owned ? [placeColumn, unitColumn] : policy.unit.kind === "through" ? [unitColumn] : [];
  const sorted = order.map((column) => quoteText(quoteName(column))).join(", ");
  const properties = ["format = 'PARQUET'", ...(sorted === "" ? [] : [`sorted_by = ARRAY[${sorted}]`])];
  try {
    const [written] = await ask(
      withTrinoSeed(`CREATE TABLE ${name} WITH (${properties.join(", ")}) AS ${rows}`, seed),
    );
    const state = await stateOf(ask, target);
    if (state === null)
      throw new Error("the table that was written has no state: snapshots are tables of Iceberg");
    return {
      state,
      rows: String(written?.[0] ?? "?"),
      unitNumbers: owned && (await unitNumbersDiffer(ask, name)),
    };
  } catch (error) {
    await ask(`DROP TABLE IF EXISTS ${name}`).catch(() => undefined);
    throw error;
  }
}

/** Whether units of different names have different numbers: two share one by somebody's design alone, and are then told apart by their names. */
async function unitNumbersDiffer(ask: AskCatalog, name: string): Promise<boolean> {
  const [unit, number] = [quoteName(unitColumn), quoteName(numberColumn)];
  const shared = await ask(
    `SELECT 1 FROM ${name} WHERE ${unit} IS NOT NULL GROUP BY ${number} HAVING min(${unit}) <> max(${unit}) LIMIT 1`,
  );
  return shared.length === 0;
}
