import fc from "fast-check";
import { expect, it } from "vitest";
import { LetheError } from "../errors/lethe-error.ts";
import { ratio } from "../numeric/rational.ts";
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

it("writes exact numbers as texts, and has one zero", () => {
  expect(canonicalJson({ b: [-0, 1e21, 0.5], a: ratio(2n, 6n), c: 5n, e: undefined })).toBe(
    '{"a":"1/3","b":[0,1e+21,0.5],"c":"5"}',
  );
});

it("refuses what JSON cannot say", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, () => 0, Symbol("x")]) {
    expect(() => canonicalJson([value])).toThrow(LetheError);
  }
});

it("takes for an exact number what has two integers num and den, and nothing less", () => {
  expect(canonicalJson({ num: 3n, den: 1n })).toBe('"3"');
  expect(canonicalJson({ num: 1n, den: 2 })).toBe('{"den":2,"num":"1"}');
  expect(canonicalJson({ num: 1, den: 2n })).toBe('{"den":"2","num":1}');
  expect(canonicalJson({ num: 1n })).toBe('{"num":"1"}');
  expect(canonicalJson({ den: 1n })).toBe('{"den":"1"}');
});

it("says that a record holds what JSON cannot say", () => {
  expect(() => canonicalJson({ a: undefined, b: () => 0 })).toThrow(
    expect.objectContaining({ code: "internal.invariant" }),
  );
  expect(canonicalJson({ a: undefined })).toBe("{}");
  expect(canonicalJson([null, true, "\ud800"])).toBe('[null,true,"\\ud800"]');
});
