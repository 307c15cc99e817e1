import type { Catalog } from "../catalog.ts";
import type { Expr } from "../evaluate/expr.ts";
import type { Place } from "../names/reg-names.ts";
import { refused } from "../refuse.ts";
import { formatType } from "../types/format-type.ts";
import { oids } from "../types/oids.ts";
import type { ArrayValue, Value } from "../types/values.ts";
import { converter, readValue } from "./convert.ts";

/** i: without a word, a: where a value is stored, e: by a cast that is written. */
export type Context = "i" | "a" | "e";

const rank: Readonly<Record<string, number>> = { i: 0, a: 1, e: 2 };

/** The types of the parameters of a query, as far as they are decided: 0 of those that are not. */
export type ParameterTypes = number[];

const polymorphic: ReadonlySet<number> = new Set<number>([
  oids.any,
  oids.anyarray,
  oids.anyelement,
  oids.anynonarray,
  oids.anyenum,
  oids.anyrange,
  oids.anymultirange,
  oids.anycompatible,
  oids.anycompatiblearray,
  oids.anycompatiblenonarray,
  oids.anycompatiblerange,
  oids.anycompatiblemultirange,
]);

export function isPolymorphic(type: number): boolean {
  return polymorphic.has(type);
}

/** Constants are the same in every row, and look at none. */
const noFrame = null as never;

/** Whether values of a type may be taken as another, as PostgreSQL's can_coerce_type decides. */
export function canCoerce(from: number, to: number, context: Context, { types, casts }: Catalog): boolean {
  const [source, target] = [types.baseOf(from), types.baseOf(to)];
  if (source === target || source === oids.unknown || to === oids.any) return true;
  if (polymorphic.has(to)) return fitsPolymorphic(source, to, types);
  const cast = casts.get(`${source}>${target}`);
  if (cast) return (rank[cast.context] ?? 2) <= (rank[context] ?? 0);
  const [item, wanted] = [types.elementOf(source), types.elementOf(target)];
  const isVector = target === oids.int2vector || target === oids.oidvector;
  if (item !== 0 && wanted !== 0 && !isVector)
    return canCoerce(item, wanted, context, { types, casts } as Catalog);
  if (types.fact(source).kind === "c" || source === oids.record)
    if (target === oids.record || types.fact(target).kind === "c")
      return source === oids.record ? context === "e" : true;
  if (context !== "i" && types.categoryOf(target) === "S") return true;
  return context === "e" && types.categoryOf(source) === "S";
}

function fitsPolymorphic(source: number, to: number, types: Catalog["types"]): boolean {
  switch (to) {
    case oids.anyarray:
    case oids.anycompatiblearray:
      return types.elementOf(source) !== 0 || source === oids.anyarray;
    case oids.anynonarray:
    case oids.anycompatiblenonarray:
      return types.elementOf(source) === 0;
    case oids.anyenum:
      return types.fact(source).kind === "e";
    case oids.anyrange:
    case oids.anycompatiblerange:
      return types.fact(source).kind === "r";
    case oids.anymultirange:
    case oids.anycompatiblemultirange:
      return types.fact(source).kind === "m";
    default:
      return true;
  }
}

/** Writes the name of a type for a message. */
export function typeName(type: number, { types, schemaName }: Catalog): string {
  return formatType(type, null, types, schemaName);
}

/**
 * Returns an expression as one of another type. A literal without a type is read as it, and a parameter without a type has it from here on.
 * Errors: query.type.
 */
export function coerce(
  expr: Expr,
  type: number,
  context: Context,
  place: Place,
  parameters: ParameterTypes,
): Expr {
  const { catalog } = place;
  const { parameter } = expr;
  if (expr.type === type) return expr;
  if (polymorphic.has(type)) {
    if (expr.type !== oids.unknown) return expr;
    if (context === "e" && expr.literal === null)
      return { type, typmod: -1, run: expr.run, isConstant: true };
    return coerce(expr, oids.text, "i", place, parameters);
  }
  const { types } = catalog;
  const base = types.baseOf(type);
  const typmod = base === type ? -1 : types.fact(type).typmod;
  if (parameter !== undefined && expr.type === oids.unknown) {
    const decided = parameters[parameter] ?? 0;
    if (decided === 0) parameters[parameter] = base;
    const known = { type: parameters[parameter] ?? base, typmod: -1, run: expr.run };
    return decided === 0 ? known : coerce(known, type, context === "i" ? "a" : context, place, parameters);
  }
  if (expr.literal !== undefined) {
    const { literal } = expr;
    const value = literal === null ? null : readValue(literal, base, place);
    return { type: base, typmod, run: () => value, isConstant: true };
  }
  if (!canCoerce(expr.type, type, context, catalog))
    return refused(
      "query.type",
      `cannot cast type ${typeName(expr.type, catalog)} to ${typeName(type, catalog)}`,
    );
  const convert = converter(expr.type, type, catalog);
  const { run } = expr;
  if (convert === null) return { ...expr, type: base, typmod };
  if (expr.isConstant) {
    const value = run(noFrame);
    const as = value === null ? null : convert(value, place);
    return { type: base, typmod, run: () => as, isConstant: true };
  }
  const { column: _, equality: __, fields: ___, ...rest } = expr;
  return {
    ...rest,
    type: base,
    typmod,
    run: (frame) => {
      const value = run(frame);
      return value === null ? null : convert(value, frame.run);
    },
  };
}

/** Returns the type that several expressions have in common, as PostgreSQL's select_common_type decides. Errors: query.type. */
export function commonType(
  exprs: readonly { readonly type: number }[],
  catalog: Catalog,
  what: string,
): number {
  const { types } = catalog;
  let common: number = oids.unknown;
  for (const { type } of exprs) {
    const base = types.baseOf(type);
    if (base === oids.unknown || base === common) continue;
    if (common === oids.unknown) {
      common = base;
      continue;
    }
    if (types.categoryOf(base) !== types.categoryOf(common))
      return refused(
        "query.type",
        `${what} types ${typeName(common, catalog)} and ${typeName(base, catalog)} cannot be matched`,
      );
    if (types.fact(common).isPreferred) continue;
    if (canCoerce(common, base, "i", catalog) && !canCoerce(base, common, "i", catalog)) common = base;
  }
  return common === oids.unknown ? oids.text : common;
}

/** Whether a value is an array. */
export function isArray(value: Value): value is ArrayValue {
  return typeof value === "object" && value !== null && "lower" in value;
}
