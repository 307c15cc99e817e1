import { createHash } from "node:crypto";
import { canonicalJson } from "@lethe/core/canonical";
import { duckdb, postgres, snapshotColumns, snapshotSelect, type TablePolicy } from "@lethe/query";

/**
 * sha256 of all that decides what a snapshot's cells mean: the source, how its CSV is written, the unit, the columns
 * with their domains, and the conversion itself. A snapshot under another hash must not be asked: its integers stand
 * for other values. Budgets and contribution bounds are left out, for they do not touch the cells.
 */
export function domainHash(table: TablePolicy): string {
  const { file, relation, csv, unit, columns } = table;
  const conversion = {
    columns: snapshotColumns(table, duckdb).map(({ name, type, nullable }) => ({ name, type, nullable })),
    // Rows of a database are cleaned there.
    select: snapshotSelect(table, "source", file === null ? postgres : duckdb),
  };
  const shape = canonicalJson({ file, relation, csv, unit, columns, conversion });
  return createHash("sha256").update(shape).digest("hex");
}
