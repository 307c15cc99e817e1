import { describe, expect, it } from "vitest";
import { one, ratio, zero } from "../../numeric/rational.ts";
import { aimOf, defaultAccuracy } from "./aim.ts";
import {
  composeLosses,
  lossFits,
  lossFromJson,
  lossLeft,
  lossToJson,
  measures,
  mixed,
  type PrivacyMeasure,
  powerLoss,
  zeroLoss,
} from "./index.ts";

const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const coordinates = {
  pure: ["epsilon"],
  approximate: ["epsilon", "delta"],
  zcdp: ["rho", "delta"],
} as const;

describe.each(Object.entries(coordinates) as [PrivacyMeasure, readonly string[]][])(
  "%s",
  (measure, names) => {
    const loss = (...numbers: readonly bigint[]) =>
      ({ measure, ...Object.fromEntries(names.map((name, i) => [name, ratio(numbers[i]!)])) }) as never;
    it("has its numbers and no others, each of which adds up", () => {
      expect(zeroLoss(measure)).toEqual(loss(0n, 0n));
      expect(measures[measure].id).toBe(measure);
      expect(composeLosses(measure, [loss(1n, 2n), loss(10n, 20n)])).toEqual(loss(11n, 22n));
      expect(composeLosses(measure, [])).toEqual(zeroLoss(measure));
      expect(powerLoss(loss(3n, 5n), 4n)).toEqual(loss(12n, 20n));
      expect(powerLoss(loss(3n, 5n), 0n)).toEqual(zeroLoss(measure));
      expect(() => powerLoss(loss(3n, 5n), -1n)).toThrow(invalid("count"));
      expect(Object.isFrozen(powerLoss(loss(3n, 5n), 2n))).toBe(true);
    });

    it("fits where every number does, and is left number by number, never below 0", () => {
      expect(lossFits(loss(3n, 5n), loss(3n, 5n))).toBe(true);
      for (const i of names.keys()) {
        const numbers = [3n, 5n];
        numbers[i]! += 1n;
        expect(lossFits(loss(...numbers), loss(3n, 5n))).toBe(false);
        expect(lossFits(loss(3n, 5n), loss(...numbers))).toBe(true);
        const less = [3n, 5n];
        less[i]! -= 9n;
        expect(lossLeft(loss(3n, 5n), loss(...less.map((n) => (n < 0n ? 9n : n)))).measure).toBe(measure);
      }
      expect(lossLeft(loss(3n, 5n), loss(1n, 9n))).toEqual(loss(2n, 0n));
      expect(lossLeft(loss(3n, 5n), loss(9n, 1n))).toEqual(loss(0n, 4n));
    });

    it("is written and read as texts, strictly", () => {
      const text = { measure, ...Object.fromEntries(names.map((name) => [name, "1/3"])) };
      expect(lossToJson(lossFromJson(text))).toEqual(text);
      for (const name of names) {
        expect(() => lossFromJson({ ...text, [name]: "-1/3" })).toThrow(invalid(name));
        expect(() => lossFromJson({ ...text, [name]: 1 })).toThrow(invalid(name));
        expect(() => lossFromJson({ ...text, [name]: "x" })).toThrow(invalid(name));
        expect(lossFromJson({ ...text, [name]: "0" })).toMatchObject({ [name]: zero });
        const { [name]: _, ...rest } = text as Record<string, string>;
        expect(() => lossFromJson(rest)).toThrow(invalid(name));
      }
      expect(() => lossFromJson({ ...text, note: "1" })).toThrow(
        `loss must be made of measure, ${names.join(", ")} alone`,
      );
      expect(() => measures[measure].fromJson({ ...text, measure: "other" })).toThrow(invalid("loss"));
      for (const json of [null, [], "x", 1, undefined])
        expect(() => measures[measure].fromJson(json)).toThrow(invalid("loss"));
    });

    it("takes losses of its own measure alone", () => {
      const other = zeroLoss(measure === "zcdp" ? "pure" : "zcdp");
      expect(() => composeLosses(measure, [other])).toThrow(invalid("loss"));
      expect(() => lossFits(zeroLoss(measure), other)).toThrow(invalid("loss"));
      expect(() => lossLeft(zeroLoss(measure), other)).toThrow(invalid("loss"));
    });
  },
);

it("an unknown measure is refused with those that are known", () => {
  for (const run of [
    () => zeroLoss("renyi" as PrivacyMeasure),
    () => composeLosses("toString" as PrivacyMeasure, []),
    () => lossFromJson({ measure: "mixed" }),
    () => lossFromJson(null),
    () => lossFromJson(undefined),
  ])
    expect(run).toThrow("measure must be one of pure, approximate, zcdp");
});

it("a mixed loss adds up in all four numbers", () => {
  const numbers = { epsilon: one, delta: ratio(2n), muSquared: ratio(3n), rho: ratio(4n) };
  const loss = { measure: "mixed", ...numbers } as const;
  expect(mixed.power(loss, 2n)).toEqual(mixed.compose([loss, loss]));
  expect(mixed.power(loss, 2n)).toMatchObject({
    epsilon: ratio(2n),
    delta: ratio(4n),
    muSquared: ratio(6n),
    rho: ratio(8n),
  });
  expect(mixed.zero).toEqual({ measure: "mixed", epsilon: zero, delta: zero, muSquared: zero, rho: zero });
});

it("an accuracy that is asked for is one width; the default is a ten-thousandth of ε, from 1e-6, and at most 1e-4 is sought", () => {
  const own = aimOf(0.01);
  for (const epsilon of [0, 1, 1e6]) expect([own.sought(epsilon), own.asked(epsilon)]).toEqual([0.01, 0.01]);
  const aim = aimOf(undefined);
  expect([0, 0.001, 0.5, 1, 7, 1e6].map(aim.asked)).toEqual([1e-6, 1e-6, 5e-5, 1e-4, 7e-4, 100]);
  expect([0, 0.001, 0.5, 1, 7, 1e6].map(aim.sought)).toEqual([1e-6, 1e-6, 5e-5, 1e-4, 1e-4, 1e-4]);
  expect(defaultAccuracy).toBe(1e-4);
});
