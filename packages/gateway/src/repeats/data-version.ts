import type { Policy } from "@lethe/query";

/** The random ids by which versions of a table's data are told apart. None of them is made of the data: whether rows changed decides no price. */
export interface TableVersion {
  readonly table: string;
  /** The id of the import that froze the rows; null where the table is read as it lies. */
  readonly imported: string | null;
  /** The id that the owner last declared; null where none was. */
  readonly declared: string | null;
}

/** The version of all data that a question reads. */
export interface DataVersion {
  readonly tables: readonly TableVersion[];
  /** The milliseconds for which an answer stands, where the policy's period limits that; null for as long as the version does. */
  readonly validFor: number | null;
}

/**
 * Returns the version of the data that tables hold; null where one of them has none, so that no answer stands for another. The policy's period is
 * for tables that were not imported.
 */
export function dataVersion(
  tables: readonly TableVersion[],
  { answersValid }: Pick<Policy, "answersValid">,
): DataVersion | null {
  const live = tables.filter(({ imported }) => imported === null);
  const known = answersValid !== undefined || live.every(({ declared }) => declared !== null);
  if (!known) return null;
  return {
    tables: tables.toSorted((a, b) => (a.table < b.table ? -1 : 1)),
    validFor: live.length > 0 ? (answersValid ?? null) : null,
  };
}
