import type { KeyValue } from "@lethe/core/mechanisms";
import type { RowKeys } from "../post/evaluate.ts";

/** Returns the keys of a released row of the only grouping. */
export function rowKeys(keys: Readonly<Record<string, KeyValue>> = {}): RowKeys {
  return { keys: new Map(Object.entries(keys)), away: new Set(), others: new Set() };
}
