import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().map((n) => n + 0),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 4 }),
  ),
})).value;

it("reads back to the same value, and is its own canonical text", () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
    { seed: 1, numRuns: 300 },
  );
});

it("does not depend on the order of keys", () => {
  expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: "é" })).toBe('{"a":"é","b":[1,{"c":3,"d":2}]}');
  expect(canonicalJson({ a: "é", b: [1, { c: 3, d: 2 }] })).toBe('{"a":"é","b":[1,{"c":3,"d":2}]}');
});

it("refuses what JSON cannot hold exactly", () => {
  for (const value of [0.5, Number.NaN, 2 ** 53, -0, 1n, undefined, { a: undefined }, () => 0]) {
    expect(() => canonicalJson(value)).toThrow(/plain JSON|safe integer/);
  }
});
