import type {
  A_ArrayExpr,
  A_Indirection,
  BoolExpr,
  BooleanTest,
  CaseExpr,
  MinMaxExpr,
  Node,
  NullTest,
  RowExpr,
  TypeCast,
} from "@pgsql/types";
import { refused, unsupported } from "../../refuse.ts";
import { coerce, commonType } from "../../resolve/coerce.ts";
import { applied } from "../../resolve/operator.ts";
import { compareValues } from "../../types/compare.ts";
import { oids } from "../../types/oids.ts";
import { ArrayValue, RowValue, type Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import { stringOf } from "../nodes.ts";
import type { Scope } from "../scope.ts";
import { sideOf } from "./operators.ts";
import { writtenType } from "./type-name.ts";

function bool(run: Expr["run"]): Expr {
  return { type: oids.bool, typmod: -1, run };
}

/** Reads AND, OR and NOT, which know three values. */
export function booleanExpression({ boolop, args }: BoolExpr, compiler: Compiler, scope: Scope): Expr {
  const parts = (args ?? []).map((node) =>
    coerce(compiler.expression(node, scope), oids.bool, "i", compiler.place, compiler.parameters),
  );
  if (boolop === "NOT_EXPR") {
    const [inner] = parts;
    return bool((frame) => {
      const value = inner?.run(frame) ?? null;
      return value === null ? null : value !== true;
    });
  }
  const decides = boolop === "OR_EXPR";
  return bool((frame) => {
    let isUnknown = false;
    for (const { run } of parts) {
      const value = run(frame);
      if (value === decides) return decides;
      if (value === null) isUnknown = true;
    }
    return isUnknown ? null : !decides;
  });
}

/** Reads IS NULL and IS NOT NULL: of a row, whether all its values are. */
export function nullTest({ arg, nulltesttype }: NullTest, compiler: Compiler, scope: Scope): Expr {
  const given = compiler.expression(arg as Node, scope);
  const { run } =
    given.parameter === undefined
      ? given
      : coerce(given, oids.text, "i", compiler.place, compiler.parameters);
  const wantsNull = nulltesttype === "IS_NULL";
  return bool((frame) => {
    const value = run(frame);
    if (value instanceof RowValue) return value.items.every((item) => (item === null) === wantsNull);
    return (value === null) === wantsNull;
  });
}

const truths: Readonly<Record<string, readonly [Value, boolean]>> = {
  IS_TRUE: [true, true],
  IS_NOT_TRUE: [true, false],
  IS_FALSE: [false, true],
  IS_NOT_FALSE: [false, false],
  IS_UNKNOWN: [null, true],
  IS_NOT_UNKNOWN: [null, false],
};

/** Reads IS TRUE and the like. */
export function truthTest({ arg, booltesttype }: BooleanTest, compiler: Compiler, scope: Scope): Expr {
  const { run } = coerce(
    compiler.expression(arg as Node, scope),
    oids.bool,
    "i",
    compiler.place,
    compiler.parameters,
  );
  const [wanted = null, holds = true] = truths[booltesttype ?? ""] ?? [];
  return bool((frame) => (run(frame) === wanted) === holds);
}

/** Reads CASE. */
export function caseExpression({ arg, args, defresult }: CaseExpr, compiler: Compiler, scope: Scope): Expr {
  const { place, parameters } = compiler;
  const whens = (args ?? []).map((node) => {
    const { expr, result } = (node as { CaseWhen: { expr?: Node; result?: Node } }).CaseWhen;
    const condition = arg
      ? applied("=", sideOf(arg, compiler, scope), sideOf(expr as Node, compiler, scope), place, parameters)
      : coerce(compiler.expression(expr as Node, scope), oids.bool, "i", place, parameters);
    return { condition, result: compiler.expression(result as Node, scope) };
  });
  const rest = defresult ? compiler.expression(defresult, scope) : null;
  const results = [...(rest ? [rest] : []), ...whens.map(({ result }) => result)];
  const type = commonType(results, place.catalog, "CASE");
  const as = (expr: Expr): Expr["run"] => coerce(expr, type, "i", place, parameters).run;
  const branches = whens.map(({ condition, result }) => ({ condition: condition.run, result: as(result) }));
  const otherwise = rest ? as(rest) : () => null;
  return {
    type,
    typmod: typmodOf(results),
    run: (frame) => {
      for (const { condition, result } of branches) if (condition(frame) === true) return result(frame);
      return otherwise(frame);
    },
  };
}

/** What all state beside their type, if they state the same. */
function typmodOf(exprs: readonly Expr[]): number {
  const [first, ...others] = exprs;
  return first && others.every((each) => each.typmod === first.typmod && each.type === first.type)
    ? first.typmod
    : -1;
}

/** Reads COALESCE. */
export function coalesceExpression(args: readonly Node[], compiler: Compiler, scope: Scope): Expr {
  const given = args.map((node) => compiler.expression(node, scope));
  const type = commonType(given, compiler.place.catalog, "COALESCE");
  const runs = given.map((expr) => coerce(expr, type, "i", compiler.place, compiler.parameters).run);
  return {
    type,
    typmod: typmodOf(given),
    run: (frame) => {
      for (const run of runs) {
        const value = run(frame);
        if (value !== null) return value;
      }
      return null;
    },
  };
}

/** Reads GREATEST and LEAST, which pass over NULL. */
export function extremeExpression({ op, args }: MinMaxExpr, compiler: Compiler, scope: Scope): Expr {
  const given = (args ?? []).map((node) => compiler.expression(node, scope));
  const type = commonType(given, compiler.place.catalog, "GREATEST");
  const runs = given.map((expr) => coerce(expr, type, "i", compiler.place, compiler.parameters).run);
  const sign = op === "IS_LEAST" ? -1 : 1;
  return {
    type,
    typmod: -1,
    run: (frame) => {
      let best: Value = null;
      for (const run of runs) {
        const value = run(frame);
        if (value !== null && (best === null || sign * compareValues(value, best) > 0)) best = value;
      }
      return best;
    },
  };
}

/** Reads ARRAY[…]. `type` is that of the array where a cast states it. Errors: query.unsupported for arrays of arrays. */
export function arrayExpression(
  { elements, location }: A_ArrayExpr,
  compiler: Compiler,
  scope: Scope,
  stated = 0,
): Expr {
  const { place, parameters } = compiler;
  const { types } = place.catalog;
  const given = (elements ?? []).map((node) => compiler.expression(node, scope));
  if (given.length === 0 && stated === 0)
    return refused("query.type", "cannot determine type of empty array", location);
  if (given.some(({ type }) => types.elementOf(type) !== 0)) return unsupported("arrays of arrays", location);
  const element = stated === 0 ? commonType(given, place.catalog, "ARRAY") : types.elementOf(stated);
  const items = given.map((expr) => coerce(expr, element, stated === 0 ? "i" : "e", place, parameters));
  const isConstant = items.every((item) => item.isConstant);
  const run: Expr["run"] = (frame) => new ArrayValue(items.map((item) => item.run(frame)));
  return { type: types.arrayOf(element), typmod: -1, run, ...(isConstant ? { isConstant } : {}) };
}

/** Reads ROW(…). */
export function rowExpression({ args }: RowExpr, compiler: Compiler, scope: Scope): Expr {
  const items = (args ?? []).map((node) => {
    const read = compiler.expression(node, scope);
    return read.type === oids.unknown
      ? coerce(read, oids.text, "i", compiler.place, compiler.parameters)
      : read;
  });
  const types = items.map(({ type }) => type);
  const names = items.map((_, at) => `f${at + 1}`);
  return {
    type: oids.record,
    typmod: -1,
    fields: names.map((name, at) => ({ name, type: types[at] ?? oids.text })),
    run: (frame) =>
      new RowValue(
        items.map(({ run }) => run(frame)),
        types,
        names,
      ),
  };
}

/** Reads a cast that is written. */
export function castExpression(
  { arg, typeName, location }: TypeCast,
  compiler: Compiler,
  scope: Scope,
): Expr {
  if (!typeName || !arg) return unsupported("a cast without a type", location);
  const { type, typmod } = writtenType(typeName, compiler);
  const { types } = compiler.place.catalog;
  const base = types.baseOf(type);
  const given =
    "A_ArrayExpr" in arg && types.elementOf(base) !== 0
      ? arrayExpression(arg.A_ArrayExpr, compiler, scope, base)
      : compiler.expression(arg, scope);
  const cast = coerce(given, type, "e", compiler.place, compiler.parameters);
  if (typmod < 0) return cast;
  const cut = cutter(type, typmod);
  if (cut === null) return { ...cast, typmod };
  const { run } = cast;
  return {
    type: cast.type,
    typmod,
    run: (frame) => cut(run(frame)),
    ...(cast.isConstant ? { isConstant: true } : {}),
  };
}

/** What a type with a length or a scale makes of a value; null where that is nothing. */
function cutter(type: number, typmod: number): ((value: Value) => Value) | null {
  if (type === oids.varchar || type === oids.bpchar) {
    const length = typmod - 4;
    return (value) => {
      if (value === null) return null;
      const characters = [...String(value)].slice(0, length).join("");
      return type === oids.bpchar ? characters.padEnd(length, " ") : characters;
    };
  }
  if (type === oids.numeric) {
    const scale = 10 ** ((typmod - 4) & 0x7ff);
    return (value) => (value === null ? null : Math.round(Number(value) * scale) / scale);
  }
  return null;
}

/** Reads (a).b and a[1], a[1:2]. Errors: query.unknown-column, query.type. */
export function indirectionExpression(
  { arg, indirection }: A_Indirection,
  compiler: Compiler,
  scope: Scope,
): Expr {
  let expr = compiler.expression(arg as Node, scope);
  for (const step of indirection ?? []) {
    const name = stringOf(step);
    if (name !== null) expr = fieldOf(expr, name, compiler);
    else if ("A_Indices" in step) expr = itemOf(expr, step.A_Indices, compiler, scope);
    else return unsupported("(…).* within an expression");
  }
  return expr;
}

function fieldOf(expr: Expr, name: string, { place }: Compiler): Expr {
  const { types, relationOf } = place.catalog;
  const relation = types.has(expr.type) ? relationOf(types.fact(expr.type).relation) : null;
  const fields = expr.fields ?? relation?.columns ?? [];
  const at = fields.findIndex((field) => field.name === name);
  const field = fields[at];
  if (!field) return refused("query.unknown-column", `there is no column ${JSON.stringify(name)} in the row`);
  const { run } = expr;
  return {
    type: types.baseOf(field.type),
    typmod: -1,
    run: (frame) => {
      const row = run(frame);
      return row instanceof RowValue ? (row.items[at] ?? null) : null;
    },
  };
}

function itemOf(
  expr: Expr,
  { is_slice, lidx, uidx }: { is_slice?: boolean; lidx?: Node; uidx?: Node },
  compiler: Compiler,
  scope: Scope,
): Expr {
  const { types } = compiler.place.catalog;
  const element = types.elementOf(types.baseOf(expr.type));
  if (element === 0) return refused("query.type", "cannot subscript this type: it is no array");
  const index = (node: Node | undefined): Expr["run"] | null =>
    node
      ? coerce(compiler.expression(node, scope), oids.int4, "a", compiler.place, compiler.parameters).run
      : null;
  const [low, high] = [index(lidx), index(uidx)];
  const { run } = expr;
  if (!is_slice)
    return {
      type: element,
      typmod: expr.typmod,
      run: (frame) => {
        const [array, at] = [run(frame), high?.(frame) ?? null];
        return array instanceof ArrayValue && at !== null
          ? (array.items[Number(at) - array.lower] ?? null)
          : null;
      },
    };
  return {
    type:
      expr.type === oids.int2vector
        ? types.arrayOf(oids.int2)
        : expr.type === oids.oidvector
          ? types.arrayOf(oids.oid)
          : expr.type,
    typmod: -1,
    run: (frame) => {
      const array = run(frame);
      if (!(array instanceof ArrayValue)) return null;
      const from = low ? low(frame) : array.lower;
      const to = high ? high(frame) : array.lower + array.items.length - 1;
      if (from === null || to === null) return null;
      const begin = Math.max(0, Number(from) - array.lower);
      return new ArrayValue(array.items.slice(begin, Math.max(begin, Number(to) - array.lower + 1)));
    },
  };
}
