import { createHash } from "node:crypto";
import { findPattern } from "../operations/patterns.ts";
import { refused } from "../refuse.ts";
import { lowerCase, upperCase } from "../types/letters.ts";
import { oids } from "../types/oids.ts";
import { quoteName } from "../types/quote-name.ts";
import { ArrayValue, type Value } from "../types/values.ts";
import { writeText } from "../types/write-text.ts";
import type { Call, ScalarFunction, ScalarFunctions } from "./call.ts";

/** Cuts characters, as PostgreSQL counts them: from 1. */
function part(text: string, from: number, count: number): string {
  const characters = [...text];
  const end = from - 1 + count;
  if (count < 0) return refused("query.type", "negative substring length not allowed");
  return characters.slice(Math.max(0, from - 1), Math.max(0, end)).join("");
}

/** Counts a text that is made, so that none grows without end. */
function made(text: string, { run }: Call): string {
  run.budget.step(1 + (text.length >> 4));
  run.budget.hold(text.length >> 4);
  return text;
}

/** Puts parts together, and counts the whole before it is made. */
function joined(parts: readonly string[], between: string, { run }: Call): string {
  const length =
    parts.reduce((sum, { length: own }) => sum + own, 0) + between.length * Math.max(0, parts.length - 1);
  // A length beyond 2³¹ is no negative cost.
  const cost = Math.floor(length / 16);
  run.budget.step(1 + cost);
  run.budget.hold(cost);
  return parts.join(between);
}

function bounded(length: number, { run }: Call): number {
  run.budget.hold(Math.floor(Math.max(0, length) / 16));
  return length;
}

const trim =
  (ends: "both" | "left" | "right"): ScalarFunction =>
  ([text, characters]) => {
    const set = new Set([...String(characters ?? " ")]);
    const all = [...String(text)];
    let [from, to] = [0, all.length];
    if (ends !== "right") while (from < to && set.has(all[from] as string)) from += 1;
    if (ends !== "left") while (to > from && set.has(all[to - 1] as string)) to -= 1;
    return all.slice(from, to).join("");
  };

const pad =
  (isLeft: boolean): ScalarFunction =>
  (values, call) => {
    const [text, wanted, fill = " "] = values;
    const length = bounded(Number(wanted), call);
    const characters = [...String(text)];
    if (characters.length >= length) return characters.slice(0, Math.max(0, length)).join("");
    const missing = length - characters.length;
    const filler =
      String(fill) === ""
        ? ""
        : String(fill)
            .repeat(Math.ceil(missing / String(fill).length))
            .slice(0, missing);
    return isLeft ? filler + characters.join("") : characters.join("") + filler;
  };

function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
  return text.includes("\\") ? `E${quoted}` : quoted;
}

const formatSign = /%(?:(\d+)\$)?(-?)(\d*)([sIL%])/g;

/** format(): %s, %I, %L and %%, one value after the other or by number, as wide as is stated. */
const format: ScalarFunction = ([pattern, ...values], call) => {
  const parts: string[] = [];
  let [next, behind] = [0, 0];
  for (const sign of String(pattern).matchAll(formatSign)) {
    const [whole, at, minus, digits = "", kind = ""] = sign;
    parts.push(String(pattern).slice(behind, sign.index));
    behind = sign.index + whole.length;
    if (kind === "%") {
      parts.push("%");
      continue;
    }
    const place = at === undefined ? next : Number(at) - 1;
    next = place + 1;
    if (place >= values.length) return refused("query.type", "too few arguments for format()");
    const value = values[place] ?? null;
    const text = formatted(
      value === null ? null : writeText(value, call.types[place + 1] ?? oids.text, call.run),
      kind,
    );
    call.run.budget.step(text.length >> 4);
    const missing = digits === "" ? 0 : Math.max(0, bounded(Number(digits), call) - [...text].length);
    const space = " ".repeat(missing);
    parts.push(minus === "-" ? text + space : space + text);
  }
  return joined([...parts, String(pattern).slice(behind)], "", call);
};

function formatted(text: string | null, kind: string): string {
  if (kind === "s") return text ?? "";
  if (kind === "L") return text === null ? "NULL" : quoteLiteral(text);
  return text === null
    ? refused("query.type", "null values cannot be formatted as an SQL identifier")
    : quoteName(text);
}

const substring: ScalarFunction = (values, call) => {
  const [text, from, count] = values;
  if (typeof from === "number")
    return part(String(text), from, count === undefined ? Number.POSITIVE_INFINITY : Number(count));
  if (count !== undefined)
    return refused("query.unsupported", "the catalog here does not know substring(… SIMILAR …)");
  const match = findPattern(String(text), 0, String(from), false, call.run.budget);
  if (match === null) return null;
  const at = match.length > 2 ? 2 : 0;
  return (match[at] ?? -1) < 0 ? null : String(text).slice(match[at], match[at + 1]);
};

const regexpReplace: ScalarFunction = ([text, pattern, replacement, flags = ""], call) => {
  const [source, all] = [String(text), String(flags).includes("g")];
  let [written, from] = ["", 0];
  for (;;) {
    const match =
      from > source.length
        ? null
        : findPattern(source, from, String(pattern), String(flags).includes("i"), call.run.budget);
    if (match === null) break;
    const [begin = 0, end = 0] = match;
    const given = String(replacement).replace(/\\([&\\\d])/g, (_, sign: string) => {
      if (sign === "\\") return "\\";
      const group = sign === "&" ? 0 : Number(sign);
      return source.slice(Math.max(0, match[2 * group] ?? 0), Math.max(0, match[2 * group + 1] ?? 0));
    });
    written += source.slice(from, begin) + given;
    from = end;
    if (begin === end) {
      written += source.slice(end, end + 1);
      from = end + 1;
    }
    call.run.budget.step(1 + (written.length >> 4));
    if (!all) break;
  }
  return made(written + source.slice(from), call);
};

const regexpMatch: ScalarFunction = ([text, pattern, flags = ""], { run }) => {
  const match = findPattern(String(text), 0, String(pattern), String(flags).includes("i"), run.budget);
  if (match === null) return null;
  const groups = match.length > 2 ? match.slice(2) : match;
  const items: Value[] = [];
  for (let at = 0; at < groups.length; at += 2)
    items.push((groups[at] ?? -1) < 0 ? null : String(text).slice(groups[at], groups[at + 1]));
  return new ArrayValue(items);
};

/** The parts of a text between the matches of a pattern. An empty match at an end, or right behind another match, splits nothing. */
const splitByPattern: ScalarFunction = ([text, pattern, flags = ""], call) => {
  const source = String(text);
  const parts: string[] = [];
  let [from, search] = [0, 0];
  for (;;) {
    const match =
      search > source.length
        ? null
        : findPattern(source, search, String(pattern), String(flags).includes("i"), call.run.budget);
    if (match === null) break;
    const [begin = 0, end = 0] = match;
    if (begin === end && (begin === source.length || begin === from)) {
      search = begin + 1;
      if (begin === source.length) break;
      continue;
    }
    parts.push(source.slice(from, begin));
    from = end;
    search = end;
    call.run.budget.hold(1);
  }
  return new ArrayValue([...parts, source.slice(from)]);
};

/** The names of a name with dots: "a".b gives a and b. Errors: query.type. */
const parseIdent: ScalarFunction = ([text]) => {
  const names: string[] = [];
  let rest = String(text).trimStart();
  for (;;) {
    const [whole, quoted, plain] =
      /^(?:"((?:[^"]|"")+)"|([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*))\s*/.exec(rest) ?? [];
    if (whole === undefined) return refused("query.type", "string is not a valid identifier");
    names.push(quoted === undefined ? lowerCase(plain ?? "") : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (rest === "") return new ArrayValue(names);
    if (!rest.startsWith(".")) return refused("query.type", "string is not a valid identifier");
    rest = rest.slice(1).trimStart();
  }
};

const splitPart: ScalarFunction = ([text, separator, field]) => {
  if (Number(field) === 0) return refused("query.type", "field position must not be zero");
  const parts = String(separator) === "" ? [String(text)] : String(text).split(String(separator));
  const at = Number(field);
  return (at > 0 ? parts[at - 1] : parts.at(at)) ?? "";
};

/** The text forms of values one behind the other, without those that are NULL. */
function written(values: readonly Value[], types: readonly number[], call: Call): readonly string[] {
  return values.flatMap((value, at) => {
    if (value === null) return [];
    if (value instanceof ArrayValue && at === values.length - 1 && call.types.length === 1) return [];
    return [writeText(value, types[at] ?? oids.text, call.run)];
  });
}

const strpos: ScalarFunction = ([text, wanted]) => {
  const at = String(text).indexOf(String(wanted));
  return at < 0 ? 0 : [...String(text).slice(0, at)].length + 1;
};

/** Functions of texts. */
export const textFunctions: ScalarFunctions = {
  lower: ([text]) => lowerCase(String(text)),
  upper: ([text]) => upperCase(String(text)),
  initcap: ([text]) =>
    lowerCase(String(text)).replace(/[a-z0-9]+/g, (word) => upperCase(word.charAt(0)) + word.slice(1)),
  length: ([text]) => [...String(text)].length,
  char_length: ([text]) => [...String(text)].length,
  character_length: ([text]) => [...String(text)].length,
  octet_length: ([text]) => Buffer.byteLength(String(text), "utf8"),
  substr: substring,
  substring,
  strpos,
  position: strpos,
  replace: ([text, from, to], call) =>
    String(from) === "" ? String(text) : joined(String(text).split(String(from)), String(to), call),
  translate: ([text, from, to]) => {
    const fresh = [...String(to)];
    const becomes = new Map<string, string>();
    for (const [at, each] of [...String(from)].entries())
      if (!becomes.has(each)) becomes.set(each, fresh[at] ?? "");
    return [...String(text)].map((each) => becomes.get(each) ?? each).join("");
  },
  split_part: splitPart,
  concat: (values, call) => made(written(values, call.types, call).join(""), call),
  concat_ws: ([separator, ...values], call) =>
    separator === null || separator === undefined
      ? null
      : made(written(values, call.types.slice(1), call).join(String(separator)), call),
  left: ([text, count]) => [...String(text)].slice(0, Number(count)).join(""),
  right: ([text, count]) => {
    const all = [...String(text)];
    return Number(count) === 0
      ? ""
      : all.slice(Number(count) > 0 ? Math.max(0, all.length - Number(count)) : -Number(count)).join("");
  },
  btrim: trim("both"),
  ltrim: trim("left"),
  rtrim: trim("right"),
  lpad: pad(true),
  rpad: pad(false),
  repeat: ([text, count], call) => {
    const times = Math.max(0, Number(count));
    call.run.budget.hold(Math.floor((times * String(text).length) / 16));
    return String(text).repeat(times);
  },
  reverse: ([text]) => [...String(text)].reverse().join(""),
  ascii: ([text]) => String(text).codePointAt(0) ?? 0,
  chr: ([code]) => String.fromCodePoint(Math.min(0x10ffff, Math.max(1, Number(code)))),
  md5: ([text]) => createHash("md5").update(String(text)).digest("hex"),
  quote_ident: ([text]) => quoteName(String(text)),
  quote_literal: ([text], { run, types }) => quoteLiteral(writeText(text ?? "", types[0] ?? oids.text, run)),
  quote_nullable: ([text], { run, types }) =>
    text === null ? "NULL" : quoteLiteral(writeText(text ?? "", types[0] ?? oids.text, run)),
  format,
  starts_with: ([text, begin]) => String(text).startsWith(String(begin)),
  regexp_replace: regexpReplace,
  regexp_match: regexpMatch,
  regexp_split_to_array: splitByPattern,
  parse_ident: parseIdent,
  // No value of the catalog is of bytes, but columns of such values are asked for.
  encode: () => refused("query.unsupported", "the catalog here does not know the function encode"),
  regexp_substr: ([text, pattern], { run }) => {
    const match = findPattern(String(text), 0, String(pattern), false, run.budget);
    return match === null ? null : String(text).slice(match[0], match[1]);
  },
  regexp_like: ([text, pattern, flags = ""], { run }) =>
    findPattern(String(text), 0, String(pattern), String(flags).includes("i"), run.budget) !== null,
  like_escape: ([pattern]) => String(pattern),
};
