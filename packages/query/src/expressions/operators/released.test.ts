import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Domain } from "../domain.ts";
import type { Expression } from "../expression.ts";
import { booleanDomain } from "./domains.ts";
import { fillReleased, releasedDomain, releasedIn, valueWithin } from "./released.ts";

const types: readonly Domain["type"][] = ["number", "text", "boolean", "date", "timestamp"];
const anyValue = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  fc.string({ maxLength: 3000 }),
  fc.constantFrom("2020-02-29", "2020-02-30", "2020-02-29 12:30:00", "0000-01-01", Number.NaN, -0),
);

describe("a released value", () => {
  it("is one of its domain, whatever was released", () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), anyValue, (type, given) => {
        const domain = releasedDomain(type);
        const value = valueWithin(domain, given);
        if (value === null) return;
        if (domain.type === "text") expect([...`${value}`].length).toBeLessThanOrEqual(domain.maxLength);
        else if (domain.type === "boolean") expect(value).toBeTypeOf("boolean");
        else if (domain.type === "number") expect(Number.isFinite(value)).toBe(true);
        else {
          expect(Number.isSafeInteger(value)).toBe(true);
          expect(Number(value)).toBeGreaterThanOrEqual(domain.bounds[0]);
          expect(Number(value)).toBeLessThanOrEqual(domain.bounds[1]);
        }
      }),
    );
  });

  test.each([
    ["number", 3.5, 3.5],
    ["number", 7n, 7],
    ["number", Number.POSITIVE_INFINITY, null],
    ["number", "3", null],
    ["text", "Zürich", "Zürich"],
    ["boolean", true, true],
    ["boolean", 1, null],
    ["date", "2020-02-29", 18_321],
    ["date", "2020-02-30", null],
    ["date", 18_321, null],
  ] as const)("of type %s: %s is %s", (type, given, value) => {
    expect(valueWithin(releasedDomain(type), given)).toBe(value);
  });

  it("is put wherever it stands, and what has none is left as it is", () => {
    const released: Expression = { kind: "released", sql: "(SELECT 1)", domain: releasedDomain("number") };
    const call: Expression = {
      kind: "call",
      operator: "is-null",
      args: [released],
      domain: booleanDomain(false),
    };
    const tree = { where: call, sums: [{ name: "n" }, { argument: released }], none: null };
    expect(releasedIn(tree)).toEqual([released, released]);
    const filled = fillReleased(tree, () => 4);
    expect(releasedIn(filled)).toEqual([]);
    expect(filled.sums[0]).toBe(tree.sums[0]);
    expect(filled.sums[1]).toEqual({ argument: { kind: "literal", value: 4, domain: released.domain } });
    expect(fillReleased(filled, () => 5)).toBe(filled);
  });
});
