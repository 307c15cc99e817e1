import type { Catalog } from "../catalog.ts";
import { oids } from "../types/oids.ts";
import { commonType, isPolymorphic } from "./coerce.ts";

const arrays: ReadonlySet<number> = new Set<number>([oids.anyarray, oids.anycompatiblearray]);
const elements: ReadonlySet<number> = new Set<number>([
  oids.anyelement,
  oids.anynonarray,
  oids.anyenum,
  oids.anycompatible,
  oids.anycompatiblenonarray,
]);

/** Returns the types that arguments and result have where some are declared as any type, or as arrays of it. Errors: query.type. */
export function resolvedTypes(
  declared: readonly number[],
  result: number,
  given: readonly number[],
  catalog: Catalog,
): { readonly own: readonly number[]; readonly result: number } {
  if (!isPolymorphic(result) && !declared.some(isPolymorphic)) return { own: declared, result };
  const { types } = catalog;
  const items = declared.flatMap((type, at) => {
    const base = types.baseOf(given[at] ?? oids.unknown);
    if (base === oids.unknown) return [];
    if (arrays.has(type)) return [{ type: types.elementOf(base) || oids.anyelement }];
    return elements.has(type) ? [{ type: base }] : [];
  });
  const element = commonType(items, catalog, "argument");
  const hasElement = items.length > 0;
  const array = (): number =>
    types.has(element) && types.fact(element).array !== 0 ? types.arrayOf(element) : oids.anyarray;
  const asGiven = (type: number, at: number): number => {
    const base = types.baseOf(given[at] ?? oids.unknown);
    if (arrays.has(type)) return base !== oids.unknown && types.elementOf(base) === element ? base : array();
    if (elements.has(type)) return hasElement ? element : oids.text;
    return type;
  };
  return {
    own: declared.map(asGiven),
    result: arrays.has(result) ? array() : elements.has(result) ? element : result,
  };
}
