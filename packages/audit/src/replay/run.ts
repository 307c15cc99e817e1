import type { CallAnswerer } from "./tape-of-calls.ts";

/** How a run ended. `result` is one text of the whole result; of what is not plain data there is none. */
export type Ending =
  | { readonly ended: "returned"; readonly result: string }
  | { readonly ended: "opaque" }
  | { readonly ended: "threw" }
  | { readonly ended: "hung" };

/** Runs the function under audit once, on a copy of the data. */
export type Runner = (data: unknown, calls: CallAnswerer) => Promise<Ending>;

/** How a run ended that returned this. */
export function endingOf(returned: unknown): Ending {
  try {
    return { ended: "returned", result: textOf(returned) };
  } catch {
    return { ended: "opaque" };
  }
}

/**
 * One text of a result, the same for equal values alone: numbers exactly, members in order. It must see all that leaves, so what could
 * hold more than it shows (functions, symbols, instances of classes, members that are hidden or computed) has none.
 * Stands on nothing but the language: another thread is given its source.
 * Errors: TypeError for what is not plain data, RangeError for what holds itself.
 */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "string") return JSON.stringify(value);
  const members = Object.getOwnPropertyDescriptors(value);
  const names = Reflect.ownKeys(members);
  const listed = (items: readonly unknown[], own: number): string => {
    if (names.length !== own) throw new TypeError("members beside its items");
    return `[${items.map(textOf).join(",")}]`;
  };
  const kind = Object.getPrototypeOf(value) as unknown;
  if (kind === Array.prototype) {
    const items = value as readonly unknown[];
    return listed([...items], items.length + 1); // its length is a member
  }
  if (kind === Map.prototype) return `Map${listed([...(value as Map<unknown, unknown>)], 0)}`;
  if (kind === Set.prototype) return `Set${listed([...(value as Set<unknown>)], 0)}`;
  if (kind === Date.prototype) return `Date${listed([(value as Date).getTime()], 0)}`;
  if (kind === ArrayBuffer.prototype) return `Bytes${listed([...new Uint8Array(value as ArrayBuffer)], 0)}`;
  if (
    ArrayBuffer.isView(value) &&
    Object.getPrototypeOf(kind) === Object.getPrototypeOf(Int8Array.prototype)
  ) {
    const view = value as Uint8Array;
    const bytes = [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)];
    return `${view[Symbol.toStringTag]}${listed(bytes, view.length)}`;
  }
  if (kind !== Object.prototype && kind !== null) throw new TypeError("not plain data");
  const told = names.map((name) => {
    const { enumerable, ...member } = members[name as string]!;
    if (!(typeof name === "string" && enumerable && "value" in member))
      throw new TypeError("a hidden member");
    return `${JSON.stringify(name)}:${textOf(member.value)}`;
  });
  return `{${told.join(",")}}`;
}
