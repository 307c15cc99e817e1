import { evaluatePost } from "@lethe/gateway";
import type { PostExpression, PostOperator } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hidden, seenValue } from "./released-value.ts";

/* Functions of texts and times over released values: the code that shows them agrees with the code that verifies. */

const words = fc.string({
  unit: fc.constantFrom("a", "B", " ", "é", "ß", "_", "%", "\\", "ab", "1", "-", "𝒜", "İ"),
  maxLength: 9,
});
const count = fc.integer({ min: 0, max: 5 });
const place = fc.integer({ min: 1, max: 5 });
const part = words.filter((word) => word !== "");
const date = fc
  .integer({ min: -700_000, max: 2_900_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  .filter((text) => /^\d{4}-/.test(text) && text >= "0001-01-01");
// The microseconds of timestamps are exact doubles within some 250 years of 1970.
const recent = fc
  .integer({ min: -98_000, max: 100_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const time = fc.oneof(
  date,
  fc
    .tuple(recent, fc.integer({ min: 0, max: 86_399 }), fc.constantFrom("", ".250000"))
    .map(([day, second, rest]) => `${day} ${new Date(second * 1000).toISOString().slice(11, 19)}${rest}`),
);
const units = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;
const fields = ["year", "quarter", "month", "week", "day", "dow", "isodow", "doy", "hour", "minute"] as const;

const cases: Readonly<Partial<Record<PostOperator, fc.Arbitrary<readonly unknown[]>>>> = {
  lower: fc.tuple(words),
  upper: fc.tuple(words),
  initcap: fc.tuple(words),
  trim: fc.tuple(words),
  ltrim: fc.tuple(words),
  rtrim: fc.tuple(words),
  length: fc.tuple(words),
  left: fc.tuple(words, count),
  right: fc.tuple(words, count),
  substr: fc.tuple(words, place, count),
  replace: fc.tuple(words, part, words),
  strpos: fc.tuple(words, part),
  split_part: fc.tuple(words, part, place),
  concat: fc.array(words, { minLength: 1, maxLength: 4 }),
  like: fc.tuple(
    words,
    words.filter((pattern) => !/(?<!\\)(\\\\)*\\$/.test(pattern)),
  ),
  "to-text": fc.tuple(
    fc.oneof(
      words,
      fc.boolean(),
      fc.integer(),
      fc.integer().map((cents) => cents / 100),
    ),
  ),
  "date-trunc": fc.tuple(fc.constantFrom(...units), time),
  extract: fc.tuple(fc.constantFrom(...fields), time),
};

describe("the two codes that evaluate a function of texts or times", () => {
  it.each(Object.entries(cases))(
    "agree on %s, NULL and what is no text among the arguments",
    (name, given) => {
      const row = {
        keys: new Map(),
        away: new Set<string>(),
        others: new Set<string>(),
        aggregates: new Map(),
      };
      const none = (): never => {
        throw new Error("the expression reads no column");
      };
      fc.assert(
        fc.property(given, fc.option(fc.nat(3), { freq: 4 }), (values, missing) => {
          const args = values.map(
            (value, at): PostExpression => ({
              kind: "literal",
              value: at === missing ? null : (value as string | number | boolean),
            }),
          );
          const call: PostExpression = { kind: "call", operator: name as PostOperator, args };
          const shown = evaluatePost(call, row);
          expect(seenValue(call, { key: none, aggregate: none })).toEqual(shown);
          if (missing === null) expect(shown).not.toBeNull();
        }),
        { numRuns: 400 },
      );
    },
  );

  it("do not verify a text whose number rounding may have decided", () => {
    const third: PostExpression = {
      kind: "call",
      operator: "/",
      args: [
        { kind: "literal", value: 1 },
        { kind: "literal", value: 3 },
      ],
    };
    const text: PostExpression = { kind: "call", operator: "to-text", args: [third] };
    const none = () => null;
    expect(seenValue(text, { key: none, aggregate: none })).toBe(hidden);
  });
});
