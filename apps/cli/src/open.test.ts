import { parseRational } from "@lethe/core";
import { expect, it } from "vitest";
import { askedOptions } from "./open.ts";

const asked = (targetError: string) => {
  const { targetError: absolute, targetErrorRelative } = askedOptions({ targetError });
  return { absolute, relative: targetErrorRelative };
};

it("a target error that ends in % is a share, and any other is in the question's units", () => {
  expect(asked("12.5%")).toEqual({ absolute: null, relative: parseRational("1/8") });
  expect(asked("5%")).toEqual({ absolute: null, relative: parseRational("1/20") });
  expect(asked("12.5")).toEqual({ absolute: parseRational("25/2"), relative: null });
});

it("a share is stated once", () => {
  expect(() => askedOptions({ targetError: "5%", targetErrorRelative: "0.05" })).toThrow(/stated once/);
});
