import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { castToTime } from "./resolve-time.ts";
import type { BuildCall } from "./row-function.ts";
import {
  dayFromSunday,
  dayName,
  field,
  half,
  hour,
  hourOfTwelve,
  minute,
  monthName,
  ofDay,
  second,
  type TimePart,
  written,
  yearOfWeek,
} from "./time-formats.ts";

/** What a format consists of: parts of a time, and texts between them. */
type Piece = TimePart | string;
type Parts = Readonly<Record<string, TimePart>>;

const upper = (name: string): string => name.toUpperCase();
const lower = (name: string): string => name.toLowerCase();
const short = (name: string): string => name.slice(0, 3);
/** PostgreSQL fills names up to the longest one. */
const filled = (name: string): string => name.padEnd(9);

const year = ofDay("year", 1, 4);
const shortYear = ofDay("year", 3, 2);
const month = ofDay("month", 6, 2);
const day = ofDay("day", 9, 2);
const isoWeek = written(field("week"), 2);
const dayOfYear = written(field("doy"), 3);
const [hours, twelve, minutes, seconds] = [hour, hourOfTwelve, minute, second].map((number) =>
  written(number, 2),
) as [TimePart, TimePart, TimePart, TimePart];

/** Several parts of one day, which have as few values as there are such days. */
const days = { "YYYY-MM-DD": ofDay("day", 1, 10), "YYYY-MM": ofDay("month", 1, 7) };

/** The patterns of TO_CHAR, in capitals or in small letters alike. */
const patterns: Parts = {
  ...days,
  ...{ YYYY: year, YY: shortYear, MM: month, DD: day, Q: written(field("quarter"), 1) },
  ...{ HH24: hours, HH12: twelve, HH: twelve, MI: minutes, SS: seconds },
  ...{ IYYY: yearOfWeek, IW: isoWeek, ID: written(field("isodow"), 1) },
  ...{ DDD: dayOfYear, D: written(dayFromSunday, 1) },
};
/** Patterns whose letters tell how a name is written. */
const names: Parts = {
  ...{ Month: monthName(filled), MONTH: monthName((name) => filled(upper(name))) },
  ...{ month: monthName((name) => filled(lower(name))) },
  ...{ Mon: monthName(short), MON: monthName((name) => upper(short(name))) },
  ...{ mon: monthName((name) => lower(short(name))) },
  ...{ Day: dayName(filled), DAY: dayName((name) => filled(upper(name))) },
  ...{ day: dayName((name) => filled(lower(name))) },
  ...{
    Dy: dayName(short),
    DY: dayName((name) => upper(short(name))),
    dy: dayName((name) => lower(short(name))),
  },
  ...{ AM: half("AM", "PM"), PM: half("AM", "PM"), am: half("am", "pm"), pm: half("am", "pm") },
};
/** The same behind FM, which leaves out noughts and blanks. */
const bare: Parts = {
  ...{ MM: written(field("month"), 1), DD: written(field("day"), 1), DDD: written(field("doy"), 1) },
  ...{ HH24: written(hour, 1), HH12: written(hourOfTwelve, 1), HH: written(hourOfTwelve, 1) },
  ...{ MI: written(minute, 1), SS: written(second, 1), IW: written(field("week"), 1) },
  ...{ Month: monthName(), MONTH: monthName(upper), month: monthName(lower) },
  ...{ Day: dayName(), DAY: dayName(upper), day: dayName(lower) },
};
/** Patterns of PostgreSQL that begin as a known one does. */
const others = ["SSSSS", "SSSS", "IDDD", "Y,YYY"];

/** The specifiers behind % in STRFTIME. */
const percents: Parts = {
  ...{ Y: year, y: shortYear, m: month, d: day, F: days["YYYY-MM-DD"], j: dayOfYear },
  ...{ H: hours, I: twelve, M: minutes, S: seconds, p: half("AM", "PM") },
  ...{ A: dayName(), a: dayName(short), B: monthName(), b: monthName(short) },
  ...{ G: yearOfWeek, V: isoWeek, u: written(field("isodow"), 1), w: written(field("dow"), 1) },
  ...{ "-d": bare.DD as TimePart, "-m": bare.MM as TimePart, "-j": bare.DDD as TimePart },
  ...{ "-H": bare.HH24 as TimePart, "-I": bare.HH12 as TimePart },
  ...{ "-M": bare.MI as TimePart, "-S": bare.SS as TimePart },
};
/** MySQL's, of which some mean something else: %M is a month's name, and %i are minutes. */
const percentsOfMySql: Parts = {
  ...{ Y: year, y: shortYear, m: month, d: day, F: days["YYYY-MM-DD"], j: dayOfYear },
  ...{ H: hours, I: twelve, h: twelve, i: minutes, S: seconds, s: seconds, p: half("AM", "PM") },
  ...{ W: dayName(), a: dayName(short), M: monthName(), b: monthName(short) },
  ...{ c: bare.MM as TimePart, e: bare.DD as TimePart, k: bare.HH24 as TimePart, l: bare.HH12 as TimePart },
};

/** Returns the pieces of a format that has % before each part; null where one is unknown. */
function percentPieces(text: string, parts: Parts): readonly Piece[] | null {
  // The days that two or three specifiers make together.
  const joined = text.replace("%Y-%m-%d", "%F").replace("%Y-%m", "%\u0000");
  const known: Parts = { ...parts, "\u0000": days["YYYY-MM"] };
  const pieces: Piece[] = [];
  for (const [found, name] of joined.matchAll(/%(-?.|$)|[^%]+/gsu)) {
    if (name === undefined) pieces.push(found);
    else if (name === "%") pieces.push("%");
    else if (Object.hasOwn(known, name)) pieces.push(known[name] as TimePart);
    else return null;
  }
  return pieces;
}

/** Returns the pieces of a pattern of TO_CHAR; null where letters outside quotes are no known part. */
function patternPieces(text: string): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let rest = text;
  while (rest !== "") {
    const quoted = /^"([^"\\]*)"/.exec(rest);
    const between = /^[^\p{L}\p{N}"\\]+/u.exec(rest);
    const found = patternAt(rest);
    if (quoted) pieces.push(quoted[1] as string);
    else if (found) pieces.push(found.part);
    else if (between) pieces.push(between[0]);
    else return null;
    rest = rest.slice((quoted?.[0] ?? found?.read ?? between?.[0] ?? rest).length);
  }
  return pieces;
}

/** Returns the longest pattern that a text begins with; null where there is none, or one that is not answered. */
function patternAt(text: string): { readonly read: string; readonly part: TimePart } | null {
  const isBare = /^(FM|fm)/.test(text);
  const rest = isBare ? text.slice(2) : text;
  if (others.some((other) => rest.toUpperCase().startsWith(other))) return null;
  const known = isBare ? { ...patterns, ...names, ...bare } : { ...patterns, ...names };
  const spelled = Object.keys(known).flatMap((name) =>
    name in names
      ? [{ name, as: name }]
      : [
          { name, as: name },
          { name, as: lower(name) },
        ],
  );
  const [longest] = spelled.filter(({ as }) => rest.startsWith(as)).sort((a, b) => b.as.length - a.as.length);
  if (!longest) return null;
  const read = (isBare ? text.slice(0, 2) : "") + longest.as;
  return { read, part: known[longest.name as keyof typeof known] as TimePart };
}

const accepted =
  'write the format of YYYY, YY, MM, DD, Q, Mon, Month, Dy, Day, D, DDD, IYYY, IW, ID, HH24, HH12, MI, SS, AM, FM before one, and "text" (%Y, %y, %m, %d, %b, %B, %a, %A, %j, %G, %V, %H, %I, %M, %S, %p)';

type Reading = (text: string) => readonly Piece[] | null;

/** TO_CHAR(t, 'YYYY-MM'), STRFTIME(t, '%Y-%m'), FORMAT_DATE('%Y-%m', t): a time as a text, in formats that every engine writes alike. */
function formatted(reads: Reading): BuildCall<"two"> {
  return ([first, second], build, offset) => {
    const isText = (x: Expression): boolean => x.kind === "literal" && typeof x.value === "string";
    const [time, text] = isText(first) ? [second, first] : [first, second];
    const pieces = text.kind === "literal" ? reads(String(text.value)) : null;
    if (pieces === null || pieces.every((piece) => typeof piece === "string"))
      return refuse("query.unsupported", "the format of a time is not known", accepted, offset);
    const at = timeOf(time, build, offset);
    const texts = pieces.map((piece) =>
      typeof piece === "string" ? build.literal(piece) : piece(at, build, offset),
    );
    const [only, ...more] = texts;
    return only !== undefined && more.length === 0 ? only : build.call("concat", texts, offset);
  };
}

/** Returns a time, which a text is read as. */
export function timeOf(
  expression: Expression,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  return isTime(expression.domain) ? expression : castToTime("timestamp", expression, build, offset);
}

const isPercent = (text: string): boolean => text.includes("%");
/** Whoever writes % means it, whatever the function is called. */
export const toChar: BuildCall<"two"> = formatted((text) =>
  isPercent(text) ? percentPieces(text, percents) : patternPieces(text),
);
export const strftime: BuildCall<"two"> = toChar;
export const dateFormat: BuildCall<"two"> = formatted((text) =>
  isPercent(text) ? percentPieces(text, percentsOfMySql) : patternPieces(text),
);
