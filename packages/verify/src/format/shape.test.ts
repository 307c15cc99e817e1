import { describe, expect, it } from "vitest";
import { positiveText } from "./core-texts.ts";
import { largestText, parseJson } from "./parse-json.ts";
import {
  boolean,
  extended,
  fraction,
  integer,
  integerText,
  list,
  literal,
  Misshapen,
  map,
  nullable,
  number,
  object,
  optional,
  pair,
  type Read,
  scalar,
  sha256Text,
  tagged,
  text,
} from "./shape.ts";

const hex = "0123456789abcdef".repeat(4);
const shape = object({ a: number, b: optional(text) });
const wider = extended({ a: number }, { b: text });
const union = tagged("kind", { one: object({ kind: text, a: number }), two: object({ kind: text }) });

describe("a reader takes what it says, and gives it as it was", () => {
  it.each<[string, Read<unknown>, readonly unknown[]]>([
    ["number", number, [0, -1.5, 1e308]],
    ["integer", integer(), [0, -(2 ** 53 - 1), 2 ** 53 - 1]],
    ["integer from 1", integer(1), [1, 2]],
    ["fraction", fraction, [0, 1, 0.5]],
    ["text", text, ["", "a\nb"]],
    ["integer text", integerText, ["0", "-7", "9".repeat(400)]],
    ["sha256", sha256Text, [hex]],
    ["positive text", positiveText, ["1", "1/3", "1e-300"]],
    ["boolean", boolean, [true, false]],
    ["literal", literal<"a" | 2>("a", 2), ["a", 2]],
    ["nullable", nullable(number), [null, 1]],
    ["scalar", scalar, [null, "a", true, 1]],
    ["list", list(number), [[], [1, 2]]],
    ["pair", pair(number), [[1, 2]]],
    ["map", map(number), [{}, { a: 1, b: 2 }]],
    ["wider object", wider, [{ a: 1 }, { a: 1, b: "x" }]],
    ["union", union, [{ kind: "one", a: 1 }, { kind: "two" }]],
  ])("%s", (_, read, values) => {
    for (const value of values) expect(read(value, "x")).toEqual(value);
  });

  it("an optional member that is missing is undefined", () => {
    expect(shape({ a: 1 }, "x")).toEqual({ a: 1, b: undefined });
    expect(shape({ a: 1, b: "t" }, "x")).toEqual({ a: 1, b: "t" });
  });
});

describe("a reader refuses everything else, and says where", () => {
  it.each<[string, Read<unknown>, readonly unknown[]]>([
    ["number", number, ["1", null, Number.NaN, Number.POSITIVE_INFINITY, undefined]],
    ["integer", integer(), [1.5, 2 ** 53, -(2 ** 53), "1", null]],
    ["integer from 1", integer(1), [0, -1]],
    ["fraction", fraction, [-Number.MIN_VALUE, 1 + 2 ** -52, "0"]],
    ["text", text, [1, null, undefined, ["a"]]],
    ["integer text", integerText, ["", "-", "1.0", "+1", " 1", "1 ", "9".repeat(401), 1]],
    ["sha256", sha256Text, [hex.slice(1), `${hex}0`, hex.toUpperCase(), "g".repeat(64)]],
    ["positive text", positiveText, ["0", "-1", "0/5", "x", "", 1]],
    ["boolean", boolean, [0, "true", null]],
    ["literal", literal<"a" | 2>("a", 2), ["b", "2", 3, null]],
    ["nullable", nullable(number), [undefined, "1"]],
    ["scalar", scalar, [undefined, {}, [], Number.NaN]],
    ["list", list(number), [{}, null, "ab"]],
    ["pair", pair(number), [[], [1], [1, 2, 3], { 0: 1, 1: 2, length: 2 }]],
    ["map", map(number), [null, [], "a", 1]],
    ["object", shape, [null, [], {}, { b: "t" }, { a: 1, c: 1 }, Object.create({ a: 1 })]],
    ["wider object", wider, [{}, { a: 1, b: 2 }, { a: 1, c: 1 }, null]],
    ["union", union, [null, {}, { kind: "three" }, { kind: "constructor" }, { kind: 1 }, { kind: "one" }]],
  ])("%s", (_, read, values) => {
    for (const value of values) expect(() => read(value, "x"), String(value)).toThrow(Misshapen);
  });

  it.each<[string, () => unknown]>([
    ["x[1]", () => list(number)([1, "2"], "x")],
    ["x[0]", () => pair(number)(["1", 2], "x")],
    ["x[1]", () => pair(number)([1, "2"], "x")],
    ["x.a", () => map(number)({ a: "1" }, "x")],
    ["x.a", () => shape({}, "x")],
    ["x.kind", () => union({ kind: "three" }, "x")],
    ["x.a", () => union({ kind: "one", a: "1" }, "x")],
    ["the release", () => number("1", "")],
  ])("at %s", (path, read) => {
    expect(read).toThrow(new RegExp(`^${path.replace(/[[\].]/g, "\\$&")} must be `));
  });
});

describe("JSON of a stranger", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const refused = (why: RegExp): object =>
    expect.objectContaining({ code: "release.invalid", message: expect.stringMatching(why) });

  it("is as deep as 128, and no deeper", () => {
    expect(parseJson(nested(128))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(129))).toThrow(refused(/nested deeper than 128/));
    expect(() => parseJson(`${'{"a":'.repeat(129)}1${"}".repeat(129)}`)).toThrow(refused(/nested deeper/));
    // Brackets in texts nest nothing, and what is closed is left again.
    expect(parseJson(`["${"[".repeat(200)}"]`)).toHaveLength(1);
    expect(parseJson(`[${Array(200).fill("[]").join()}]`)).toHaveLength(200);
    expect(parseJson(`[${Array(200).fill("{}").join()}]`)).toHaveLength(200);
  });

  it("is at most 32 MiB", () => {
    expect(largestText).toBe(33_554_432);
    expect(parseJson(`1${" ".repeat(largestText - 1)}`)).toBe(1);
    expect(() => parseJson(`1${" ".repeat(largestText)}`)).toThrow(refused(/longer than 33554432/));
  });

  it("writes no member twice, however deep and however spelt", () => {
    for (const fine of ['{"a":1,"b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"\\"b\\":"}', '{"a:":1}', "null"])
      expect(parseJson(fine)).toEqual(JSON.parse(fine));
    for (const twice of ['{"a":1,"a":1}', '[{"b":{"a":1,"\\u0061" :2}}]', '{"__proto__":1,"__proto__":1}'])
      expect(() => parseJson(twice)).toThrow(refused(/written twice/));
    for (const none of ["", "{", '{"a":}', "[1,]", "NaN"])
      expect(() => parseJson(none)).toThrow(refused(/not JSON/));
  });
});
