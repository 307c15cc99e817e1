import type { CallAnswerer } from "./tape-of-calls.ts";

/** How a run ended. `result` is one text of the whole result; of what is not plain data there is none. */
export type Ending =
  | { readonly ended: "returned"; readonly result: string }
  | { readonly ended: "opaque" }
  | { readonly ended: "threw" }
  /** There is no such function. */
  | { readonly ended: "missing" }
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
  // By name and by how deep a class lies, since what is copied may come from another realm's classes.
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  let [depth, last]: [number, object | null] = [0, null];
  for (let next: object | null = Object.getPrototypeOf(value); next; next = Object.getPrototypeOf(next))
    [depth, last] = [depth + 1, next];
  if (kind === "Object" && (last === null || (depth === 1 && Object.hasOwn(last, "hasOwnProperty")))) {
    const told = names.map((name) => {
      const member = typeof name === "string" ? members[name] : undefined;
      if (!(member?.enumerable && "value" in member)) throw new TypeError("a hidden member");
      return `${JSON.stringify(name)}:${textOf(member.value)}`;
    });
    return `{${told.join(",")}}`;
  }
  const listed = (items: readonly unknown[], own: number): string => {
    if (names.length !== own) throw new TypeError("members beside its items");
    return `${kind}[${items.map(textOf).join(",")}]`;
  };
  if (ArrayBuffer.isView(value) && depth === 3) {
    const bytes = [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
    return listed(bytes, (value as Uint8Array).length);
  }
  if (depth !== 2) throw new TypeError("a class of its own");
  if (kind === "Array") return listed([...(value as unknown[])], (value as unknown[]).length + 1); // its length is a member
  if (kind === "Map" || kind === "Set") return listed([...(value as Iterable<unknown>)], 0);
  if (kind === "Date") return listed([(value as Date).getTime()], 0);
  if (kind === "ArrayBuffer") return listed([...new Uint8Array(value as ArrayBuffer)], 0);
  throw new TypeError("not plain data");
}
