import type { AuditRow } from "@lethe/audit/audit-row";

/** Reads what `lethe audit --json` writes; null where the text is something else. */
export function attackRows(text: string): readonly AuditRow[] | null {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) && read.length > 0 && read.every(isRow) ? read : null;
  } catch {
    return null;
  }
}

const subjects: readonly unknown[] = ["lethe", "user", "control", "told"];

function isRow(value: unknown): value is AuditRow {
  if (typeof value !== "object" || value === null) return false;
  const row = value as Readonly<Record<string, unknown>>;
  const areTexts = ["audit", "subject", "claim", "measured", "how"].every(
    (name) => typeof row[name] === "string",
  );
  return areTexts && subjects.includes(row.of) && (row.finding === null || typeof row.finding === "string");
}
