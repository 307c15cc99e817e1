import { LetheError } from "@lethe/core";
import type { A_Const, FuncCall, Node, SelectStmt, SQLValueFunction, TypeCast } from "@pgsql/types";
import { readTime } from "../../expressions/calendar/times.ts";

type TimeType = "date" | "timestamp";

/** The words of the standard for the time at which a question is asked. Those of the clock alone, CURRENT_TIME, are none: a day has no time of day. */
const words: Readonly<Record<string, TimeType>> = {
  SVFOP_CURRENT_DATE: "date",
  SVFOP_CURRENT_TIMESTAMP: "timestamp",
  SVFOP_CURRENT_TIMESTAMP_N: "timestamp",
  SVFOP_LOCALTIMESTAMP: "timestamp",
  SVFOP_LOCALTIMESTAMP_N: "timestamp",
};
const functions: ReadonlyMap<string, TimeType> = new Map([
  ["today", "date"],
  ["now", "timestamp"],
  ["getdate", "timestamp"],
  ["transaction_timestamp", "timestamp"],
  ["statement_timestamp", "timestamp"],
  ["clock_timestamp", "timestamp"],
  ["get_current_timestamp", "timestamp"],
  ["current_localtimestamp", "timestamp"],
]);

/**
 * Puts a day in the place of CURRENT_DATE, now() and their kin, and into AGE(t), which counts up to it, as a constant of the tree: a date, or the timestamp of its midnight in UTC. Changes the tree, and returns
 * whether there was such a place. Errors: query.parameter where `today` is no day, written YYYY-MM-DD.
 * @example placeToday(select of "… WHERE t >= CURRENT_DATE - 30", "2026-11-27") // t >= DATE '2026-11-27' - 30
 */
export function placeToday(select: SelectStmt, today: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(today) || readTime("date", today) === null)
    throw new LetheError("query.parameter", "today is given, and is no day", {
      fix: 'write it as today: "2026-11-27"',
    });
  let isRead = false;
  const open: object[] = [select];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const inner of Object.values(node))
      if (typeof inner === "object" && inner !== null) open.push(inner);
    const asked = timeAsked(node);
    if (asked === null) continue;
    isRead = true;
    if (asked.since) {
      asked.since.args = [
        { TypeCast: constantOf("date", today, asked.location) },
        ...(asked.since.args ?? []),
      ];
      continue;
    }
    const constant = node as { SQLValueFunction?: unknown; FuncCall?: unknown; TypeCast?: TypeCast };
    delete constant.SQLValueFunction;
    delete constant.FuncCall;
    constant.TypeCast = constantOf(asked.type, today, asked.location);
  }
  return isRead;
}

interface TimeAsked {
  readonly type: TimeType;
  readonly location: number | undefined;
  /** A call of AGE with one argument: its second is the present day. */
  readonly since?: FuncCall;
}

function timeAsked(node: object): TimeAsked | null {
  if (Object.hasOwn(node, "SQLValueFunction")) {
    const { op = "", location } = (node as { SQLValueFunction: SQLValueFunction }).SQLValueFunction;
    const type = words[op];
    return type === undefined ? null : { type, location };
  }
  if (!Object.hasOwn(node, "FuncCall")) return null;
  const call = (node as { FuncCall: FuncCall }).FuncCall;
  const [named, ...more] = call.funcname ?? [];
  const name = named && "String" in named ? (named.String.sval ?? "").toLowerCase() : "";
  const { args = [], location } = call;
  if (more.length > 0 || call.over || call.agg_star) return null;
  if (name === "age" && args.length === 1) return { type: "date", location, since: call };
  const type = functions.get(name);
  return type === undefined || args.length > 0 ? null : { type, location };
}

function constantOf(type: TimeType, today: string, location: number | undefined): TypeCast {
  const at = location === undefined ? {} : { location };
  const text = type === "date" ? today : `${today} 00:00:00`;
  const constant: A_Const = { sval: { sval: text }, ...at };
  const names: Node[] = [{ String: { sval: type } }];
  return { arg: { A_Const: constant }, typeName: { names, typemod: -1, ...at }, ...at };
}
