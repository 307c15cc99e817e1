import { parseRational } from "@lethe/core";
import { expect, it } from "vitest";
import type { Release } from "../release.ts";
import { type AskOptions, askedOptions } from "./asked-options.ts";

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

it("a question without options leaves every choice to the policy, at 95 % coverage", () => {
  expect(askedOptions({})).toEqual({
    epsilon: null,
    delta: null,
    groupSelection: null,
    mechanism: null,
    targetError: null,
    targetErrorRelative: null,
    targetRelease: null,
    pilotEpsilon: null,
    maxEpsilon: null,
    targetRows: null,
    acceptUninformative: null,
    confidence: 0.95,
  });
  expect(askedOptions({ today: "2024-06-11" })).toMatchObject({ today: "2024-06-11" });
});

it("numbers are read exactly, be they texts or doubles, and choices are handed on", () => {
  const release = { certificate: { requestId: "monday" } } as Release;
  const options: AskOptions = {
    epsilon: 0.1,
    delta: "1e-6",
    keys: "private",
    mechanism: "gaussian",
    targetError: 4,
    targetRelease: "monday",
    pilotEpsilon: "1/3",
    maxEpsilon: 2,
    targetRows: 25,
    acceptUninformative: true,
    params: ["other", 4],
    confidence: "0.99",
  };
  expect(askedOptions(options)).toEqual({
    epsilon: parseRational("1/10"),
    delta: parseRational("1/1000000"),
    groupSelection: "private",
    mechanism: "gaussian",
    targetError: parseRational("4"),
    targetErrorRelative: null,
    targetRelease: "monday",
    pilotEpsilon: parseRational("1/3"),
    maxEpsilon: parseRational("2"),
    targetRows: 25,
    acceptUninformative: true,
    parameters: ["other", 4],
    confidence: 0.99,
  });
  expect(askedOptions({ targetErrorRelative: "0.05", targetRelease: release })).toMatchObject({
    targetError: null,
    targetErrorRelative: parseRational("1/20"),
    targetRelease: "monday",
    heldRelease: release,
  });
  expect(askedOptions({ acceptUninformative: false }).acceptUninformative).toBeNull();
});

it("coverage may be a fraction", () => {
  expect(askedOptions({ confidence: "9/10" }).confidence).toBe(0.9);
  expect(askedOptions({ confidence: 0.5 }).confidence).toBe(0.5);
});

it.each<[AskOptions, RegExp]>([
  [{ targetError: 0 }, /target error must be above 0, got 0/],
  [{ targetError: "-1" }, /target error must be above 0/],
  [{ targetError: "0%" }, /target error must be above 0/],
  [{ targetErrorRelative: 0 }, /relative target error must be above 0/],
  [{ pilotEpsilon: 0 }, /pilot epsilon must be above 0/],
  [{ maxEpsilon: "-1/2" }, /max epsilon must be above 0/],
  [{ targetRows: 0 }, /target rows must be a whole number, at least 1, got 0/],
  [{ targetRows: 2.5 }, /target rows/],
  [{ targetRows: "01" }, /target rows/],
  [{ targetRows: 1_000_000_000 }, /target rows/],
  [{ confidence: "high" }, /confidence .* got high/],
  [{ confidence: "1e999" }, /confidence .* got 1e999/],
  [{ confidence: "1e999/2e999" }, /confidence .* got 1e999/],
  [{ confidence: "1e-999" }, /confidence .* got 1e-999/],
  [{ confidence: 1 }, /confidence .* got 1/],
  [{ epsilon: "x" }, /epsilon .* got x/],
  [{ delta: "x" }, /delta .* got x/],
])("the options %j are refused by name", (options, message) => {
  expect(() => askedOptions(options)).toThrow(message);
});

it("rows of a target may be any whole number of up to nine digits", () => {
  for (const rows of [1, 10, 999_999_999]) expect(askedOptions({ targetRows: rows }).targetRows).toBe(rows);
});
