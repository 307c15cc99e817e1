import type { A_Expr, Node } from "@pgsql/types";
import { matchesLike } from "../../operations/like.ts";
import { prefixed } from "../../operations/prefix.ts";
import { refused, unsupported } from "../../refuse.ts";
import { coerce, commonType } from "../../resolve/coerce.ts";
import { applied, operatorFor, type Side } from "../../resolve/operator.ts";
import { compareNullsLast } from "../../types/compare.ts";
import { oids } from "../../types/oids.ts";
import { ArrayValue, type Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import { stringsOf } from "../nodes.ts";
import type { Scope } from "../scope.ts";

/** Reads an expression, and notes which sources of its level it names. */
export function sideOf(node: Node, compiler: Compiler, scope: Scope): Side {
  const { made, slots } = scope.level.recording(() => compiler.expression(node, scope));
  scope.level.note(slots);
  return { expr: made, slots };
}

/** Reads an operator between two sides, or before one. Errors: query.unknown-function, query.unsupported, query.type. */
export function operatorExpression(expr: A_Expr, compiler: Compiler, scope: Scope): Expr {
  const { kind = "AEXPR_OP", lexpr, rexpr, location } = expr;
  const name = stringsOf(expr.name).at(-1) ?? "";
  const { place, parameters } = compiler;
  const binary = (operator: string): Expr => {
    if (lexpr && rexpr && "RowExpr" in lexpr && "RowExpr" in rexpr)
      return rowComparison(operator, lexpr.RowExpr.args ?? [], rexpr.RowExpr.args ?? [], compiler, scope);
    const [left, right] = [sideOf(lexpr as Node, compiler, scope), sideOf(rexpr as Node, compiler, scope)];
    return applied(operator, left, right, place, parameters, location);
  };
  switch (kind) {
    case "AEXPR_OP":
      return lexpr
        ? binary(name)
        : prefixed(name, compiler.expression(rexpr as Node, scope), place, parameters, location);
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
      return likeExpression(name, expr, compiler, scope) ?? binary(name);
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL":
      return arrayComparison(name, expr, compiler, scope);
    case "AEXPR_IN":
      return inList(name, expr, compiler, scope);
    case "AEXPR_NULLIF": {
      const equal = binary("=");
      const first = compiler.expression(lexpr as Node, scope);
      const known = first.type === oids.unknown ? coerce(first, oids.text, "i", place, parameters) : first;
      return {
        type: known.type,
        typmod: known.typmod,
        run: (frame) => (equal.run(frame) === true ? null : known.run(frame)),
      };
    }
    case "AEXPR_DISTINCT":
    case "AEXPR_NOT_DISTINCT": {
      const [left, right] = [sideOf(lexpr as Node, compiler, scope), sideOf(rexpr as Node, compiler, scope)];
      const type = commonType([left.expr, right.expr], place.catalog, "IS DISTINCT FROM");
      const [one, other] = [left, right].map(({ expr: each }) =>
        coerce(each, type, "i", place, parameters),
      ) as [Expr, Expr];
      const isSame = kind === "AEXPR_NOT_DISTINCT";
      return bool((frame) => (compareNullsLast(one.run(frame), other.run(frame)) === 0) === isSame);
    }
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN":
    case "AEXPR_BETWEEN_SYM":
    case "AEXPR_NOT_BETWEEN_SYM":
      return between(kind.startsWith("AEXPR_NOT"), kind.endsWith("SYM"), expr, compiler, scope);
    default:
      return unsupported(`the form ${kind}`, location);
  }
}

function bool(run: Expr["run"]): Expr {
  return { type: oids.bool, typmod: -1, run };
}

/** LIKE … ESCAPE: the grammar calls like_escape for the pattern. Null where there is none. */
function likeExpression(
  name: string,
  { lexpr, rexpr }: A_Expr,
  compiler: Compiler,
  scope: Scope,
): Expr | null {
  if (!rexpr || !("FuncCall" in rexpr) || stringsOf(rexpr.FuncCall.funcname).at(-1) !== "like_escape")
    return null;
  const [pattern, escapeSign] = rexpr.FuncCall.args ?? [];
  const parts = [lexpr, pattern, escapeSign].map((node) => {
    const read = compiler.expression(node as Node, scope);
    return coerce(read, oids.text, "i", compiler.place, compiler.parameters);
  });
  const [isNegated, ignoresCase] = [name.startsWith("!"), name.endsWith("*")];
  return bool((frame) => {
    const [text = null, like = null, sign = null] = parts.map(({ run }) => run(frame));
    if (text === null || like === null || sign === null) return null;
    return matchesLike(String(text), String(like), ignoresCase, frame.run.budget, String(sign)) !== isNegated;
  });
}

function between(
  isNegated: boolean,
  isSymmetric: boolean,
  { lexpr, rexpr }: A_Expr,
  compiler: Compiler,
  scope: Scope,
): Expr {
  const [low, high] = rexpr && "List" in rexpr ? (rexpr.List.items ?? []) : [];
  const { place, parameters } = compiler;
  const value = sideOf(lexpr as Node, compiler, scope);
  const ends = [sideOf(low as Node, compiler, scope), sideOf(high as Node, compiler, scope)] as const;
  const within = ([from, to]: readonly [Side, Side]): readonly [Expr, Expr] => [
    applied(">=", value, from, place, parameters),
    applied("<=", value, to, place, parameters),
  ];
  const ways = [within(ends), ...(isSymmetric ? [within([ends[1], ends[0]])] : [])];
  return bool((frame) => {
    const each = ways.map(([above, below]) => both(above.run(frame), below.run(frame)));
    const holds = each.includes(true) ? true : each.includes(null) ? null : false;
    return holds === null ? null : holds !== isNegated;
  });
}

function both(one: Value, other: Value): boolean | null {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
}

/** `a = ANY (array)`. Errors: query.type where the right side is no array. */
function arrayComparison(name: string, expr: A_Expr, compiler: Compiler, scope: Scope): Expr {
  const { place, parameters } = compiler;
  const { types } = place.catalog;
  const left = sideOf(expr.lexpr as Node, compiler, scope);
  const right = sideOf(expr.rexpr as Node, compiler, scope);
  const isAny = expr.kind === "AEXPR_OP_ANY";
  let list = right.expr;
  if (list.type === oids.unknown) {
    const item = left.expr.type === oids.unknown ? oids.text : types.baseOf(left.expr.type);
    list = coerce(list, types.arrayOf(item), "i", place, parameters);
  }
  const element = types.elementOf(types.baseOf(list.type));
  if (element === 0)
    return refused("query.type", "op ANY/ALL (array) requires array on right side", expr.location);
  return overItems(name, left, { expr: list, slots: right.slots }, element, isAny, compiler, expr.location);
}

/** Compares a value with each item of an array. */
function overItems(
  name: string,
  left: Side,
  list: Side,
  element: number,
  isAny: boolean,
  { place, parameters }: Compiler,
  offset?: number,
): Expr {
  const {
    act,
    left: type,
    right: wanted,
  } = operatorFor(name, left.expr.type, element, place.catalog, offset);
  const value =
    left.expr.type === oids.unknown || type !== oids.anyelement
      ? coerce(left.expr, type, "i", place, parameters)
      : left.expr;
  const { types } = place.catalog;
  const asWanted =
    wanted === element || !types.has(wanted) || types.fact(wanted).array === 0
      ? list.expr
      : coerce(list.expr, types.arrayOf(wanted), "i", place, parameters);
  const run: Expr["run"] = (frame) => {
    const items = asWanted.run(frame);
    if (!(items instanceof ArrayValue)) return null;
    const one = value.run(frame);
    if (one === null) return items.items.length === 0 ? !isAny : null;
    frame.run.budget.step(items.items.length);
    let isUnknown = false;
    for (const item of items.items) {
      if (item === null) {
        isUnknown = true;
        continue;
      }
      const holds = act(one, item, frame);
      if (holds === null) isUnknown = true;
      else if (holds === isAny) return isAny;
    }
    return isUnknown ? null : !isAny;
  };
  const equality = {
    left: value,
    right: asWanted,
    leftSlots: left.slots,
    rightSlots: list.slots,
    isAny: true,
  };
  return { ...bool(run), ...(isAny && name === "=" ? { equality } : {}) };
}

function inList(name: string, { lexpr, rexpr, location }: A_Expr, compiler: Compiler, scope: Scope): Expr {
  const nodes = rexpr && "List" in rexpr ? (rexpr.List.items ?? []) : [];
  const { place, parameters } = compiler;
  if (lexpr && "RowExpr" in lexpr) {
    const rows = nodes.map((node) => {
      const items = "RowExpr" in node ? (node.RowExpr.args ?? []) : [];
      return rowComparison("=", lexpr.RowExpr.args ?? [], items, compiler, scope);
    });
    return anyOf(rows, name === "<>");
  }
  const left = sideOf(lexpr as Node, compiler, scope);
  const sides = nodes.map((node) => sideOf(node, compiler, scope));
  const all = [left.expr, ...sides.map(({ expr }) => expr)];
  // Literals alone: the list is an array of the type of the left side, as PostgreSQL reads it.
  if (sides.every(({ expr }) => expr.isConstant)) {
    const type = commonType(all, place.catalog, "IN");
    if (place.catalog.types.fact(type).array !== 0) {
      const items = sides.map(({ expr }) => coerce(expr, type, "i", place, parameters));
      const values = new ArrayValue(items.map(({ run }) => run(null as never)));
      const array: Expr = {
        type: place.catalog.types.arrayOf(type),
        typmod: -1,
        run: () => values,
        isConstant: true,
      };
      return overItems(name, left, { expr: array, slots: new Set() }, type, name === "=", compiler, location);
    }
  }
  return anyOf(
    sides.map((side) => applied("=", left, side, place, parameters, location)),
    name === "<>",
  );
}

function anyOf(conditions: readonly Expr[], isNegated: boolean): Expr {
  return bool((frame) => {
    let isUnknown = false;
    for (const { run } of conditions) {
      const holds = run(frame);
      if (holds === true) return !isNegated;
      if (holds === null) isUnknown = true;
    }
    return isUnknown ? null : isNegated;
  });
}

/** Compares rows item by item. Errors: query.type for rows of different lengths; query.unsupported for other operators than = and <>, < and the like. */
export function rowComparison(
  name: string,
  left: readonly Node[],
  right: readonly Node[],
  compiler: Compiler,
  scope: Scope,
): Expr {
  if (left.length !== right.length)
    return refused("query.type", "unequal number of entries in row expressions");
  const { place, parameters } = compiler;
  const pair = (operator: string): readonly Expr[] =>
    left.map((node, at) =>
      applied(
        operator,
        sideOf(node, compiler, scope),
        sideOf(right[at] as Node, compiler, scope),
        place,
        parameters,
      ),
    );
  const equal = pair("=");
  if (name === "=" || name === "<>") {
    const isNegated = name === "<>";
    return bool((frame) => {
      let isUnknown = false;
      for (const { run } of equal) {
        const holds = run(frame);
        if (holds === false) return isNegated;
        if (holds === null) isUnknown = true;
      }
      return isUnknown ? null : !isNegated;
    });
  }
  const strict = pair(name.charAt(0));
  const isOrEqual = name.length > 1;
  return bool((frame) => {
    for (const [at, { run }] of equal.entries()) {
      const same = run(frame);
      if (same === null) return null;
      if (same === false) return strict[at]?.run(frame) ?? null;
    }
    return isOrEqual;
  });
}
