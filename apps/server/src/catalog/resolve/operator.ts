import type { Catalog } from "../catalog.ts";
import type { Equality, Expr } from "../evaluate/expr.ts";
import type { Level } from "../evaluate/level.ts";
import type { Place } from "../names/reg-names.ts";
import { operation } from "../operations/operations.ts";
import { refused } from "../refuse.ts";
import type { Operator } from "../system/signatures.ts";
import { oids } from "../types/oids.ts";
import type { Value } from "../types/values.ts";
import { choose } from "./choose.ts";
import { coerce, isPolymorphic, type ParameterTypes, typeName } from "./coerce.ts";
import { resolvedTypes } from "./polymorphic.ts";

/** One side of an operator, with the slots of its level that it names. */
export interface Side {
  readonly expr: Expr;
  readonly slots: ReadonlySet<number>;
}

/** What an operator does with the values of its sides, once these are of the types that it takes. */
export interface Operation {
  readonly left: number;
  readonly right: number;
  readonly result: number;
  readonly act: (left: Value, right: Value, frame: Parameters<Expr["run"]>[0]) => Value;
}

/** Returns the operator that takes two types, as PostgreSQL finds it. Errors: query.unknown-function, query.unsupported. */
export function operatorFor(
  name: string,
  left: number,
  right: number,
  catalog: Catalog,
  offset?: number,
): Operation {
  const found = find(name, left, right, catalog);
  if (found === null)
    return refused(
      "query.unknown-function",
      `there is no operator ${typeName(left, catalog)} ${name} ${typeName(right, catalog)}`,
      offset,
    );
  const { own, result } = resolvedTypes([found.left, found.right], found.result, [left, right], catalog);
  const [one = oids.text, other = oids.text] = own;
  return { left: one, right: other, result, act: operation(name, one, other, result, catalog, offset) };
}

function find(name: string, left: number, right: number, catalog: Catalog): Operator | null {
  const candidates = (catalog.operators.get(name) ?? [])
    .filter((each) => each.left !== 0)
    .map((each) => ({ operator: each, arguments: [each.left, each.right] }));
  const { types } = catalog;
  const [one, other] = [types.baseOf(left), types.baseOf(right)];
  // A literal is first taken to be of the type of the other side.
  if (one === oids.unknown && other === oids.unknown)
    return choose(candidates, [one, other], catalog)?.operator ?? null;
  const same = one === oids.unknown ? [other, other] : other === oids.unknown ? [one, one] : [one, other];
  const exact = candidates.find(({ arguments: own }) => own[0] === same[0] && own[1] === same[1]);
  return (exact ?? choose(candidates, [one, other], catalog))?.operator ?? null;
}

/** Applies an operator to two sides. Errors: those of {@link operatorFor}, query.type. */
export function applied(
  name: string,
  left: Side,
  right: Side,
  place: Place,
  parameters: ParameterTypes,
  offset?: number,
): Expr {
  const { catalog } = place;
  const chosen = operatorFor(name, left.expr.type, right.expr.type, catalog, offset);
  const one = sideAs(left.expr, chosen.left, place, parameters);
  const other = sideAs(right.expr, chosen.right, place, parameters);
  const { act, result } = chosen;
  const [runOne, runOther] = [one.run, other.run];
  // An array and NULL make an array: NULL is an item of it, or a list without items.
  const takesNulls = name === "||" && catalog.types.categoryOf(result) === "A";
  const equality: Equality | undefined =
    name === "="
      ? { left: one, right: other, leftSlots: left.slots, rightSlots: right.slots, isAny: false }
      : undefined;
  return {
    type: result,
    typmod: -1,
    run: (frame) => {
      const first = runOne(frame);
      if (first === null && !takesNulls) return null;
      const second = runOther(frame);
      return second === null && !takesNulls ? null : act(first, second, frame);
    },
    ...(equality ? { equality } : {}),
  };
}

function sideAs(expr: Expr, type: number, place: Place, parameters: ParameterTypes): Expr {
  return isPolymorphic(type) ? expr : coerce(expr, type, "i", place, parameters);
}

/** Returns the condition that two columns are equal. */
export function equals(
  left: Side,
  right: Side,
  place: Place,
  parameters: ParameterTypes,
  level: Level,
): Expr {
  level.note(left.slots);
  level.note(right.slots);
  return applied("=", left, right, place, parameters);
}
