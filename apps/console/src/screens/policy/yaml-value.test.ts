import { expect, it } from "vitest";
import { writtenAs, yamlValue } from "./yaml-value.ts";

it("a value is written so that YAML reads what was typed", () => {
  expect(["0.5", "1e-6", "-3", "1/3", "a: b"].map((typed) => yamlValue(typed, "number"))).toEqual([
    "0.5",
    "1e-6",
    "-3",
    '"1/3"',
    '"a: b"',
  ]);
  expect(["south", "true", "12", "a, b", "=north"].map((typed) => yamlValue(typed, "text"))).toEqual([
    "south",
    '"true"',
    '"12"',
    '"a, b"',
    '"=north"',
  ]);
});

it("what is stated is shown in a line", () => {
  expect(writtenAs([{ per: "month", epsilon: "1" }])).toBe("[{ per: month, epsilon: 1 }]");
  expect(writtenAs("people.id")).toBe("people.id");
  expect(writtenAs(false)).toBe("false");
  expect(writtenAs(undefined)).toBe("");
});
