import { LetheError } from "@lethe/core";
import type { Catalog } from "../catalog.ts";
import { oids } from "../types/oids.ts";
import { canCoerce, isPolymorphic } from "./coerce.ts";
import { resolvedTypes } from "./polymorphic.ts";

/** The types that a function or an operator takes. */
export interface Candidate {
  readonly arguments: readonly number[];
}

/** Chooses among functions of one name, or operators, as PostgreSQL's func_match_argtypes and func_select_candidate do. Null where none fits or several do. */
export function choose<T extends Candidate>(
  candidates: readonly T[],
  given: readonly number[],
  catalog: Catalog,
): T | null {
  const { types } = catalog;
  const bases = given.map((type) => types.baseOf(type));
  const exact = candidates.find(({ arguments: own }) => own.every((type, at) => type === bases[at]));
  if (exact) return exact;
  let left = candidates.filter(
    ({ arguments: own }) =>
      own.every((type, at) => canCoerce(bases[at] ?? oids.unknown, type, "i", catalog)) &&
      isConsistent(own, given, catalog),
  );
  if (left.length < 2) return left[0] ?? null;
  left = best(left, ({ arguments: own }) => count(own, (type, at) => type === bases[at]));
  if (left.length === 1) return left[0] ?? null;
  left = best(left, ({ arguments: own }) =>
    count(
      own,
      (type, at) => bases[at] !== oids.unknown && (type === bases[at] || isPreferred(type, catalog)),
    ),
  );
  if (left.length === 1) return left[0] ?? null;
  left = byCategory(left, bases, catalog);
  if (left.length === 1) return left[0] ?? null;
  // All that is known is of one type: the rest is taken to be of it too.
  const known = new Set(bases.filter((type) => type !== oids.unknown));
  if (known.size === 1 && known.size < bases.length) {
    const [type = oids.unknown] = known;
    const fitting = left.filter(({ arguments: own }) =>
      own.every((each) => canCoerce(type, each, "i", catalog)),
    );
    if (fitting.length === 1) return fitting[0] ?? null;
  }
  const specific = left.filter(({ arguments: own }) => !own.some(isPolymorphic));
  return specific.length === 1 ? (specific[0] ?? null) : null;
}

/** Whether what is declared as any type, and as arrays of it, can be of one type. */
function isConsistent(own: readonly number[], given: readonly number[], catalog: Catalog): boolean {
  if (!own.some(isPolymorphic)) return true;
  try {
    resolvedTypes(own, oids.void, given, catalog);
    return true;
  } catch (error) {
    if (error instanceof LetheError) return false;
    throw error;
  }
}

function isPreferred(type: number, { types }: Catalog): boolean {
  return !isPolymorphic(type) && types.fact(type).isPreferred;
}

/** Narrows by what stands where a value's type is not known: a text if any takes one, else the category that all have. */
function byCategory<T extends Candidate>(
  left: readonly T[],
  bases: readonly number[],
  catalog: Catalog,
): T[] {
  const { types } = catalog;
  let kept = [...left];
  for (const [at, base] of bases.entries()) {
    if (base !== oids.unknown) continue;
    const categories = new Set(left.map(({ arguments: own }) => types.categoryOf(own[at] ?? 0)));
    const category = categories.has("S") ? "S" : categories.size === 1 ? [...categories][0] : null;
    if (category === null) return [...left];
    const fitting = kept.filter(({ arguments: own }) => types.categoryOf(own[at] ?? 0) === category);
    const preferred = fitting.filter(({ arguments: own }) => isPreferred(own[at] ?? 0, catalog));
    kept = preferred.length > 0 ? preferred : fitting;
  }
  return kept.length > 0 ? kept : [...left];
}

function best<T>(all: readonly T[], score: (each: T) => number): T[] {
  const scores = all.map(score);
  const most = Math.max(...scores);
  return all.filter((_, at) => scores[at] === most);
}

function count(types: readonly number[], holds: (type: number, at: number) => boolean): number {
  return types.filter(holds).length;
}
