import { describe, expect, test } from "vitest";
import { endingOf, textOf } from "./run.ts";

class Own {
  readonly seen = 1;
}
const bare = Object.assign(Object.create(null), { a: 1 });

test.each<[string, unknown, string]>([
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["a truth value", false, "false"],
  ["a big integer", 12n, "12n"],
  ["a number", 0.1, "0.1"],
  ["a zero below 0", -0, "-0"],
  ["a zero", 0, "0"],
  ["what is no number", Number.NaN, "NaN"],
  ["a text", 'a"b', '"a\\"b"'],
  ["a list", [1, [2n, "x"]], 'Array[1,Array[2n,"x"]]'],
  ["an empty list", [], "Array[]"],
  ["an object, its members in order", { b: 1, a: { c: null } }, '{"b":1,"a":{"c":null}}'],
  ["an object without a prototype", bare, '{"a":1}'],
  ["a map", new Map([[1, "x"]]), 'Map[Array[1,"x"]]'],
  ["a set", new Set([1, 2]), "Set[1,2]"],
  ["a date", new Date(5), "Date[5]"],
  ["bytes", new Uint8Array([1, 255]), "Uint8Array[1,255]"],
  ["wider numbers, by their bytes", new Uint16Array([258]), "Uint16Array[2,1]"],
  ["a part of a buffer", new Uint8Array(new Uint8Array([9, 8, 7]).buffer, 1, 1), "Uint8Array[8]"],
  ["a buffer", new Uint8Array([3, 4]).buffer, "ArrayBuffer[3,4]"],
])("%s is told whole", (_, value, text) => {
  expect(textOf(value)).toBe(text);
  expect(endingOf(value)).toEqual({ ended: "returned", result: text });
});

test.each<[string, unknown]>([
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  ["an object of a class", new Own()],
  ["a list with a member", Object.assign([1], { more: 2 })],
  ["a list with a hole", new Array(1)],
  ["a map with a member", Object.assign(new Map(), { more: 2 })],
  ["a date with a member", Object.assign(new Date(5), { more: 2 })],
  ["bytes with a member", Object.assign(new Uint8Array(1), { more: 2 })],
  ["a buffer with a member", Object.assign(new ArrayBuffer(1), { more: 2 })],
  ["a view of no kind of number", new DataView(new ArrayBuffer(1))],
  ["a hidden member", Object.defineProperty({}, "x", { value: 1 })],
  [
    "a computed member",
    {
      get x() {
        return 1;
      },
    },
  ],
  ["a member by a symbol", { [Symbol("x")]: 1 }],
  ["an inherited member", Object.create({ x: 1 })],
  ["a class of bytes", new (class extends Uint8Array {})(1)],
  ["a class of lists", new (class extends Array {})()],
  ["an error", new Error("x")],
  ["a pattern", /x/],
  ["a weak map", new WeakMap()],
  ["a promise", Promise.resolve(1)],
])("%s has no text, at any depth", (_, value) => {
  expect(endingOf(value)).toEqual({ ended: "opaque" });
  expect(endingOf([{ a: new Map([[1, value]]) }])).toEqual({ ended: "opaque" });
  expect(() => textOf(value)).toThrow(TypeError);
});

describe("what holds itself", () => {
  test("has no text", () => {
    const round: unknown[] = [];
    round.push(round);
    expect(endingOf(round)).toEqual({ ended: "opaque" });
  });
});
