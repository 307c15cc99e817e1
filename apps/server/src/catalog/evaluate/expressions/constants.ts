import type { A_Const, ParamRef, SQLValueFunction } from "@pgsql/types";
import { timestampText } from "../../functions/session-functions.ts";
import { refused, unsupported } from "../../refuse.ts";
import { oids } from "../../types/oids.ts";
import type { Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import type { Frame } from "../frame.ts";

function constant(type: number, value: Value): Expr {
  return { type, typmod: -1, run: () => value, isConstant: true };
}

/** Reads a constant. A text has no type until something gives it one. */
export function constantExpression({ ival, fval, boolval, sval, bsval, isnull, location }: A_Const): Expr {
  if (isnull) return { ...constant(oids.unknown, null), literal: null };
  if (sval) return { ...constant(oids.unknown, sval.sval ?? ""), literal: sval.sval ?? "" };
  if (boolval) return constant(oids.bool, boolval.boolval ?? false);
  if (ival) return constant(oids.int4, ival.ival ?? 0);
  if (fval) {
    const text = fval.fval ?? "0";
    // The grammar hands over a number before which a sign stands as one: −2147483648 is an integer.
    const whole = /^-?\d{1,19}$/.test(text) ? BigInt(text) : null;
    if (whole === null || BigInt.asIntN(64, whole) !== whole) return constant(oids.numeric, Number(text));
    return BigInt.asIntN(32, whole) === whole
      ? constant(oids.int4, Number(whole))
      : constant(oids.int8, whole);
  }
  return bsval ? unsupported("strings of bits", location) : constant(oids.int4, 0);
}

/** The most parameters of a query. */
const mostParameters = 1_000;

/** Reads $1. It has the type that was stated for it, or that something gives it. */
export function parameterExpression({ number = 0, location }: ParamRef, { parameters }: Compiler): Expr {
  if (number < 1 || number > mostParameters)
    return refused("query.parameter", `there is no parameter $${number}`, location);
  const at = number - 1;
  while (parameters.length <= at) parameters.push(0);
  const type = parameters[at] ?? 0;
  const run = (frame: Frame): Value => frame.run.parameters[at] ?? null;
  return type === 0 ? { type: oids.unknown, typmod: -1, run, parameter: at } : { type, typmod: -1, run };
}

/** Reads CURRENT_USER and the like. */
export function valueFunctionExpression({ op, location }: SQLValueFunction): Expr {
  const named = (type: number, run: Expr["run"]): Expr => ({ type, typmod: -1, run });
  switch (op) {
    case "SVFOP_CURRENT_USER":
    case "SVFOP_CURRENT_ROLE":
    case "SVFOP_USER":
    case "SVFOP_SESSION_USER":
      return named(oids.name, ({ run }) => run.session.user);
    case "SVFOP_CURRENT_CATALOG":
      return named(oids.name, ({ run }) => run.session.database);
    case "SVFOP_CURRENT_SCHEMA":
      return named(oids.name, () => "public");
    case "SVFOP_CURRENT_DATE":
      return named(oids.date, ({ run }) => timestampText(run.session.now()).slice(0, 10));
    case "SVFOP_CURRENT_TIMESTAMP":
      return named(oids.timestamptz, ({ run }) => `${timestampText(run.session.now())}+00`);
    case "SVFOP_LOCALTIMESTAMP":
      return named(oids.timestamp, ({ run }) => timestampText(run.session.now()));
    default:
      return unsupported(`the form ${op}`, location);
  }
}
