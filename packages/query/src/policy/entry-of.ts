import { LetheError } from "@lethe/core";

/**
 * Returns what a record holds under a name that was checked when the policy or the question was read: a table, a column.
 * Errors: internal.invariant where it holds nothing of its own.
 * @example entryOf(policy.tables, "people").columns
 */
export function entryOf<T extends object | string>(entries: Readonly<Record<string, T>>, name: string): T {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  return entry ?? absent(name);
}

/** Returns what a map holds under a key. Errors: internal.invariant where it holds nothing. */
export function atKey<K, T extends object | string | number>(values: ReadonlyMap<K, T>, key: K): T {
  return values.get(key) ?? absent(key);
}

function absent(name: unknown): never {
  throw new LetheError("internal.invariant", `nothing is called ${JSON.stringify(name)}`, {
    fix: "report this: Lethe looked for a name that it had not checked",
  });
}
