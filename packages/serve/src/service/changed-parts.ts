import type { Rational } from "@lethe/core";
import { exactText } from "@lethe/ledger";

/** A part of a document that another has otherwise. */
export interface ChangedPart {
  /** Such as tables.people.columns.age.bounds. */
  readonly path: string;
  /** Its value before, for people; null where it was not there. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The parts of two documents that differ, in order. A part that one of them lacks is named whole. */
export function changedParts(before: unknown, after: unknown, path = ""): readonly ChangedPart[] {
  if (isGroup(before) && isGroup(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => changedParts(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  const [from, to] = [written(before), written(after)];
  return from === to ? [] : [{ path, from, to }];
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExact(value);
}

function isExact(value: object): value is Rational {
  return "num" in value && "den" in value;
}

function written(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  if (typeof value === "object" && isExact(value)) return exactText(value);
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && isExact(part) ? exactText(part) : part,
  );
}
