import type { Catalog } from "../catalog.ts";
import { refused } from "../refuse.ts";
import type { Signature } from "../system/signatures.ts";
import { choose } from "./choose.ts";
import { typeName } from "./coerce.ts";
import { resolvedTypes } from "./polymorphic.ts";

/** A function, and the types that its values are converted to. */
export interface Chosen {
  readonly signature: Signature;
  readonly types: readonly number[];
  readonly result: number;
}

/** Returns the function of a name that takes these types, as PostgreSQL finds it. Errors: query.unknown-function. */
export function functionFor(
  path: readonly string[],
  given: readonly number[],
  names: readonly (string | null)[],
  catalog: Catalog,
  offset?: number,
): Chosen {
  const [name = "", schema] = [...path].reverse();
  const namespace = catalog.schema(schema ?? "pg_catalog");
  const all = (catalog.functions.get(name) ?? []).filter((each) => each.namespace === namespace);
  const candidates = all.flatMap((signature) => {
    const own = argumentsFor(signature, given.length, names);
    return own === null ? [] : [{ signature, arguments: own }];
  });
  const found = choose(candidates, given, catalog);
  if (!found)
    return refused(
      "query.unknown-function",
      `there is no function ${name}(${given.map((type) => typeName(type, catalog)).join(", ")}) in the catalog`,
      offset,
    );
  const { own, result } = resolvedTypes(found.arguments, found.signature.returns, given, catalog);
  return { signature: found.signature, types: own, result };
}

/** The types of the values that are given, in their order; null where the function does not take so many. */
function argumentsFor(
  { arguments: own, variadic, defaults, names: known }: Signature,
  count: number,
  names: readonly (string | null)[],
): readonly number[] | null {
  if (names.some((name) => name !== null)) {
    const types = names.map((name, at) => (name === null ? own[at] : own[known.indexOf(name)]));
    return types.every((type) => type !== undefined) ? (types as number[]) : null;
  }
  if (variadic !== 0 && count >= own.length - 1) {
    const fixed = own.slice(0, -1);
    return [...fixed, ...Array.from({ length: count - fixed.length }, () => variadic)];
  }
  if (count > own.length || count < own.length - defaults) return null;
  return own.slice(0, count);
}
