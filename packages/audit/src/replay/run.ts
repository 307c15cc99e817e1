import type { CallAnswerer } from "./tape-of-calls.ts";

/** How a run ended. `result` is one text of the whole result. */
export type Ending =
  | { readonly ended: "returned"; readonly result: string }
  | { readonly ended: "threw" }
  | { readonly ended: "hung" };

/** Runs the function under audit once, on a copy of the data. */
export type Runner = (data: unknown, calls: CallAnswerer) => Promise<Ending>;

/**
 * One text of a result, the same for equal values: numbers exactly, members in order. What is not plain data (functions,
 * class instances, symbols) is named by its kind alone.
 */
export function textOf(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value !== "object")
    return typeof value === "boolean" ? String(value) : typeof value;
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (value instanceof Map) return `Map${textOf([...value])}`;
  if (value instanceof Set) return `Set${textOf([...value])}`;
  if (ArrayBuffer.isView(value))
    return `Bytes${textOf([...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)])}`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(member)}`)
    .join(",")}}`;
}
