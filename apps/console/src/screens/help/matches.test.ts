import { expect, test } from "vitest";
import { matches } from "./matches.ts";

test.each([
  ["", ["a"], true],
  ["  ", [], true],
  ["budget LEDGER", ["ledger.budget", "x"], true],
  ["cap token", ["serve.cap", "The question costs more than the token may spend"], true],
  ["cap bounds", ["serve.cap", "token"], false],
  ["ε", ["the privacy loss Ε"], true],
])("%j in %j: %s", (sought, texts, found) => {
  expect(matches(sought, texts)).toBe(found);
});
