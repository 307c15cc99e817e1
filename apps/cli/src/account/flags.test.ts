import type { Event } from "@lethe/core";
import { expect, it } from "vitest";
import { type AccountFlags, optionsOf, questionsOf, seenBy, targetOf } from "./flags.ts";

const flags: AccountFlags = { adjacency: "replace-one" };
const run: Event = { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" };

it("an account is made of the flags' adjacency, and of their accuracy where one is stated", () => {
  expect(optionsOf(flags)).toEqual({ adjacency: "replace-one" });
  expect(optionsOf({ ...flags, accuracy: "0.25" })).toEqual({ adjacency: "replace-one", accuracy: 0.25 });
});

it("a group of several sees an event as a group, and one unit as it is", () => {
  expect(seenBy(flags, run)).toBe(run);
  expect(seenBy({ group: "1" }, run)).toBe(run);
  expect(seenBy({ group: "3" }, run)).toEqual({ kind: "group", version: 1, size: "3", event: run });
  expect(() => seenBy({ group: "0" }, run)).toThrow(/group must be an integer ≥ 1/);
});

it("ε is asked at δ and δ at ε, each where it is stated, and one of them has to be", () => {
  const [atDelta, atEpsilon] = [
    { delta: 0.25, said: "1/4" },
    { epsilon: 2, said: "2.0" },
  ];
  expect(questionsOf({ ...flags, delta: "1/4" })).toEqual([atDelta]);
  expect(questionsOf({ ...flags, epsilon: "2.0" })).toEqual([atEpsilon]);
  expect(questionsOf({ ...flags, epsilon: "2.0", delta: "1/4" })).toEqual([atDelta, atEpsilon]);
  expect(questionsOf({ ...flags, delta: "0" })).toEqual([{ delta: 0, said: "0" }]);
  expect(() => questionsOf(flags)).toThrowError(
    expect.objectContaining({ code: "cli.usage", fix: "add --delta 1e-5, or --epsilon 1" }),
  );
});

it("a calibration's target is ε and δ, seen to at 2e-5 of that ε unless it is stated, and at 1e-6 at the finest", () => {
  const target = { ...flags, epsilon: "2", delta: "1/4" };
  expect(targetOf(target)).toEqual({
    epsilon: 2,
    delta: 0.25,
    adjacency: "replace-one",
    accuracy: 4e-5,
    question: { delta: 0.25, said: "1/4" },
  });
  expect(targetOf({ ...target, epsilon: "0.001" }).accuracy).toBe(1e-6);
  expect(targetOf({ ...target, accuracy: "0.125" }).accuracy).toBe(0.125);
  for (const half of [
    { ...flags, epsilon: "2" },
    { ...flags, delta: "1/4" },
  ])
    expect(() => targetOf(half)).toThrowError(
      expect.objectContaining({ code: "cli.usage", fix: "add --epsilon 3 --delta 1e-5" }),
    );
});
