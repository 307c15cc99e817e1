import type { KeyValue } from "../exact/exact-rows.ts";

/** Order of types: null, booleans, integers, doubles, texts. 1n, 1, "1" and true are four different keys. */
function rank(value: KeyValue): number {
  if (value === null) return 0;
  return { boolean: 1, bigint: 2, number: 3, string: 4 }[
    typeof value as "boolean" | "bigint" | "number" | "string"
  ];
}

function text(value: KeyValue): string {
  // JSON.stringify writes lone surrogates as escapes, so different texts stay different; −0 is 0, NaN is one value.
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** A text that two keys share exactly when they are the same key. */
export function canonicalKey(key: readonly KeyValue[]): string {
  return key.map((value) => `${rank(value)}:${text(value)}`).join(",");
}

function compareValues(a: KeyValue, b: KeyValue): number {
  const byType = rank(a) - rank(b);
  if (byType !== 0 || a === null || b === null) return byType;
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b)); // NaN comes last of the doubles
}

/** A total order of keys that does not depend on how they came: by type, then by value. */
export function compareKeys(a: readonly KeyValue[], b: readonly KeyValue[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const order = compareValues(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
