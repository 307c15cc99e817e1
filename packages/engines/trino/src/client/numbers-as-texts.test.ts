import fc from "fast-check";
import { expect, it } from "vitest";
import { numbersAsTexts } from "./numbers-as-texts.ts";

it("keeps every digit of a number, and every text as it is", () => {
  expect(
    numbersAsTexts('[644382284193898855,-0.0,1e300,-1.5E-7,"12","a\\"3\\\\",true,null,{"9":[7]}]'),
  ).toEqual([...["644382284193898855", "-0.0", "1e300", "-1.5E-7", "12", 'a"3\\', true, null, { 9: ["7"] }]]);
  expect(numbersAsTexts(" 7 ")).toBe("7");
});

it("reads what JSON reads, its numbers as they were written", () => {
  const textual = (value: unknown): unknown =>
    typeof value === "number"
      ? JSON.stringify(value)
      : Array.isArray(value)
        ? value.map(textual)
        : value !== null && typeof value === "object"
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, textual(one)]))
          : value;
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value, null, 1);
      expect(JSON.stringify(numbersAsTexts(json))).toBe(JSON.stringify(textual(JSON.parse(json))));
    }),
    { numRuns: 500 },
  );
});

it.each(["", "[1", '["a', '["a\\"]', "[1,]", "[01x]", "NaN"])("refuses %s", (json) => {
  expect(() => numbersAsTexts(json)).toThrow(SyntaxError);
});
