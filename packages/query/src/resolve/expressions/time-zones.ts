import type { FuncCall, Node } from "@pgsql/types";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import { microsecondsPerDay } from "../../expressions/calendar/times.ts";
import { isZone, zoneChanges } from "../../expressions/calendar/zones.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";
import { castToTime } from "./resolve-time.ts";

const utc = /^(utc|gmt|etc\/utc|etc\/gmt|z|zulu)$/i;
const mostChanges = 120;
const longestDays = 100 * 366;

function zoneOf(node: Node | undefined): string | null {
  return node && "A_Const" in node ? (node.A_Const.sval?.sval ?? null) : null;
}

/** Whether a node says that it is a moment: t AT TIME ZONE 'UTC', or t::timestamptz. */
function isMoment(node: Node): boolean {
  if ("TypeCast" in node) return functionName(node.TypeCast.typeName?.names) === "timestamptz";
  if (!("FuncCall" in node) || functionName(node.FuncCall.funcname) !== "timezone") return false;
  return utc.test(zoneOf(node.FuncCall.args?.[0]) ?? "");
}

/**
 * t AT TIME ZONE 'UTC' is t, since every time is in UTC; t AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Oslo' is what clocks show there. The changes of
 * the zone's clocks within the bounds of t are constants of the expression, so no engine needs to know the zone. Null for every other call.
 * Errors: query.type, query.unsupported.
 */
export function atTimeZone(
  { funcname, args = [], location }: FuncCall,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
): Expression | null {
  const [zoneNode, node] = args;
  if (functionName(funcname) !== "timezone" || !node || args.length !== 2) return null;
  const zone = zoneOf(zoneNode);
  if (zone === null)
    return refuse(
      "query.type",
      "a time zone must be a constant",
      "write t AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Oslo'",
      location,
    );
  const time = castToTime("timestamp", resolve(node), build, location);
  if (utc.test(zone)) return time;
  if (!isZone(zone)) return refuseZone(zone, "is not known", location);
  if (!isMoment(node))
    return refuse(
      "query.unsupported",
      "times are in UTC, and AT TIME ZONE takes a time without a zone for one of that zone",
      `write ${writeSql(time)} AT TIME ZONE 'UTC' AT TIME ZONE '${zone.replaceAll("'", "''")}' for the time that clocks show there`,
      location,
    );
  return localTime(time, zone, build, location);
}

function refuseZone(zone: string, why: string, offset: number | undefined): never {
  return refuse(
    "query.unsupported",
    `the time zone ${JSON.stringify(zone)} ${why}`,
    "write a name of the time zone database, 'Europe/Oslo', or add the offset: t + INTERVAL '1 hour'",
    offset,
  );
}

function localTime(
  time: Expression,
  zone: string,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const { domain } = time;
  if (!isTime(domain)) return time;
  const [first, last] = domain.bounds;
  if (last - first > longestDays * microsecondsPerDay)
    return refuse(
      "query.unsupported",
      "the clocks of a time zone are known for bounds of at most 100 years",
      "declare bounds of the column in the policy",
      offset,
    );
  const changes = zoneChanges(zone, first, last, mostChanges);
  if (changes === null)
    return refuseZone(zone, `changes its clocks more than ${mostChanges} times within the bounds`, offset);
  const moved = (ahead: number): Expression =>
    ahead === 0 ? time : build.call("add-interval", [time, ...[0, 0, ahead].map(build.literal)], offset);
  const branches = changes.slice(1).map(({ from }, at) => ({
    when: build.call("<", [time, build.time("timestamp", from)], offset),
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    then: moved(changes[at]!.ahead),
  }));
  const after = moved(changes.at(-1)!.ahead);
  return branches.length === 0 ? after : build.case(branches, after, offset);
}
