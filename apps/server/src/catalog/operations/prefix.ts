import type { Expr } from "../evaluate/expr.ts";
import type { Place } from "../names/reg-names.ts";
import { refused, unsupported } from "../refuse.ts";
import { coerce, type ParameterTypes } from "../resolve/coerce.ts";
import { oids } from "../types/oids.ts";

const limits: Readonly<Record<number, number | bigint>> = {
  [oids.int2]: 32_767,
  [oids.int4]: 2_147_483_647,
  [oids.int8]: 2n ** 63n - 1n,
};

/** Applies an operator that stands before its one side: + and -. Errors: query.unsupported, query.type. */
export function prefixed(
  name: string,
  given: Expr,
  place: Place,
  parameters: ParameterTypes,
  offset?: number,
): Expr {
  if (name !== "-" && name !== "+") return unsupported(`the operator ${name} before a value`, offset);
  const expr = given.type === oids.unknown ? coerce(given, oids.float8, "i", place, parameters) : given;
  if (place.catalog.types.categoryOf(expr.type) !== "N")
    return unsupported(`the operator ${name} before this type`, offset);
  if (name === "+") return expr;
  const { run, type, typmod } = expr;
  const most = limits[type];
  const negated = (value: ReturnType<Expr["run"]>): ReturnType<Expr["run"]> => {
    if (value === null) return null;
    const result = typeof value === "bigint" ? -value : -Number(value);
    if (most !== undefined && result > most) return refused("query.type", "integer out of range");
    return typeof result === "number" && type !== oids.float8 && type !== oids.float4 ? result + 0 : result;
  };
  const isConstant = expr.isConstant === true;
  return { type, typmod, run: (frame) => negated(run(frame)), ...(isConstant ? { isConstant } : {}) };
}
