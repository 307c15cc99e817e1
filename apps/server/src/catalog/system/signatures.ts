import type { Tuple } from "../types/values.ts";
import { ArrayValue } from "../types/values.ts";
import type { SystemRelation } from "./system.ts";

/** A function of PostgreSQL, as its row in pg_proc tells it. */
export interface Signature {
  readonly oid: number;
  readonly name: string;
  readonly namespace: number;
  /** f: function, a: aggregate, w: window function, p: procedure. */
  readonly kind: string;
  readonly isStrict: boolean;
  readonly returnsSet: boolean;
  readonly returns: number;
  readonly arguments: readonly number[];
  /** The type of each value beyond those that are named; 0 where no more are taken. */
  readonly variadic: number;
  /** How many of the last arguments may be left out. */
  readonly defaults: number;
  readonly names: readonly string[];
  /** The columns that it returns, where it names them. */
  readonly outputs: readonly { readonly name: string; readonly type: number }[];
}

/** An operator of PostgreSQL, as its row in pg_operator tells it. */
export interface Operator {
  readonly oid: number;
  readonly name: string;
  /** 0 of what stands before its operand. */
  readonly left: number;
  readonly right: number;
  readonly result: number;
  /** The function that it calls. */
  readonly code: number;
}

export interface Cast {
  /** i: wherever it is needed, a: where a value is stored, e: where it is written. */
  readonly context: string;
  /** b: the same bytes, f: by a function, i: by the text. */
  readonly method: string;
}

/** Returns the functions of pg_proc by name. */
export function signatures(relation: SystemRelation): ReadonlyMap<string, readonly Signature[]> {
  const read = reader(relation);
  return grouped(
    relation.rows?.().map((row): Signature => {
      const value = read(row);
      const modes = textsOf(value("proargmodes"));
      const types = numbersOf(value("proallargtypes"));
      const names = textsOf(value("proargnames"));
      return {
        oid: Number(value("oid")),
        name: String(value("proname")),
        namespace: Number(value("pronamespace")),
        kind: String(value("prokind")),
        isStrict: value("proisstrict") === true,
        returnsSet: value("proretset") === true,
        returns: Number(value("prorettype")),
        arguments: numbersOf(value("proargtypes")),
        variadic: Number(value("provariadic")),
        defaults: Number(value("pronargdefaults")),
        names,
        outputs: modes.flatMap((mode, at) =>
          /^[obt]$/.test(mode) ? [{ name: names[at] ?? "", type: types[at] ?? 0 }] : [],
        ),
      };
    }) ?? [],
  );
}

/** Returns the operators of pg_operator by name. */
export function operators(relation: SystemRelation): ReadonlyMap<string, readonly Operator[]> {
  const read = reader(relation);
  return grouped(
    relation.rows?.().map((row): Operator => {
      const value = read(row);
      return {
        oid: Number(value("oid")),
        name: String(value("oprname")),
        left: Number(value("oprleft")),
        right: Number(value("oprright")),
        result: Number(value("oprresult")),
        code: Number(value("oprcode")),
      };
    }) ?? [],
  );
}

/** Returns the casts of pg_cast by `from>to`. */
export function casts(relation: SystemRelation): ReadonlyMap<string, Cast> {
  const read = reader(relation);
  return new Map(
    relation.rows?.().map((row) => {
      const value = read(row);
      const cast = { context: String(value("castcontext")), method: String(value("castmethod")) };
      return [`${value("castsource")}>${value("casttarget")}`, cast] as const;
    }) ?? [],
  );
}

function reader({ columns }: SystemRelation): (row: Tuple) => (name: string) => Tuple[number] {
  const places = new Map(columns.map(({ name }, at) => [name, at]));
  return (row) => (name) => row[places.get(name) ?? -1] ?? null;
}

function grouped<T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(each.name);
    if (group) group.push(each);
    else groups.set(each.name, [each]);
  }
  return groups;
}

function numbersOf(value: Tuple[number]): readonly number[] {
  return value instanceof ArrayValue ? value.items.map(Number) : [];
}

function textsOf(value: Tuple[number]): readonly string[] {
  return value instanceof ArrayValue ? value.items.map(String) : [];
}
