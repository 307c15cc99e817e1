import { parseRational, ratio } from "@lethe/core";
import { zero } from "@lethe/core/numeric";
import { expect, test } from "vitest";
import { guessingCeiling } from "./ceiling.ts";

test("randomized response over K answers reaches the ceiling", () => {
  for (const candidates of [2, 3, 5, 20]) {
    // It keeps the truth with odds of e^ε against each other answer: nobody guesses better than to believe it.
    const right = Math.exp(0.7) / (Math.exp(0.7) + candidates - 1);
    expect(guessingCeiling(parseRational("0.7"), zero, candidates)).toBeCloseTo(right, 12);
    expect(guessingCeiling(parseRational("0.7"), zero, candidates)).toBeGreaterThanOrEqual(right);
  }
});

test("a δ that names the truth outright is counted", () => {
  // With chance δ the truth is told; else one of two is drawn blindly: (0, δ)-private, right with (1 + δ)/2.
  expect(guessingCeiling(zero, parseRational("0.1"), 2)).toBeCloseTo(0.55, 12);
});

test("what promises nothing allows everything", () => {
  expect(guessingCeiling(ratio(1000n), zero, 2)).toBe(1);
  expect(guessingCeiling(ratio(1n), ratio(1n), 2)).toBe(1);
});

test("one candidate is no secret", () => {
  expect(() => guessingCeiling(ratio(1n), zero, 1)).toThrow(/candidates/);
  expect(() => guessingCeiling(ratio(1n), zero, 2.5)).toThrow(/candidates/);
});

test("a loss below 0 is none", () => {
  expect(() => guessingCeiling(ratio(-1n), zero, 2)).toThrow(/epsilon and delta/);
  expect(() => guessingCeiling(zero, ratio(-1n), 2)).toThrow(/epsilon and delta/);
  expect(guessingCeiling(zero, zero, 4)).toBeCloseTo(1 / 4, 14);
});

test("of several candidates δ counts for each other one", () => {
  // With chance δ the truth is told; else one of K is drawn blindly: right with δ + (1 − δ)/K.
  for (const candidates of [2, 3, 7])
    expect(guessingCeiling(zero, parseRational("0.2"), candidates)).toBeCloseTo(0.2 + 0.8 / candidates, 12);
});

test("far losses leave a little to chance, and the farthest nothing", () => {
  expect(guessingCeiling(ratio(20n), zero, 2)).toBeLessThan(1);
  expect(1 - guessingCeiling(ratio(20n), zero, 2)).toBeCloseTo(Math.exp(-20), 12);
  expect(guessingCeiling(ratio(701n), zero, 2)).toBe(1);
  expect(guessingCeiling(ratio(699n), zero, 1_000_000)).toBe(1);
});
