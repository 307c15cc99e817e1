import { expect, it } from "vitest";
import { Patience } from "./patience.ts";

/** How often a wait looks, for a word that comes at a look. */
function looksOf(patience: Patience, comesAt: number): number {
  let looks = 0;
  const met = patience.meets(() => {
    looks += 1;
    return looks > comesAt;
  });
  expect(met).toBe(looks > comesAt);
  return looks;
}

const never = Number.POSITIVE_INFINITY;

it("a word that comes soon is met awake, again and again", () => {
  const patience = new Patience();
  for (let wait = 0; wait < 100; wait += 1) expect(looksOf(patience, 1000)).toBe(1001);
});

it("a word that does not come is looked for in one wait of 33 in the end, and every wait has a bound", () => {
  const patience = new Patience();
  const waits = Array.from({ length: 1000 }, () => looksOf(patience, never));
  const long = waits.flatMap((looks, wait) => (looks > 1 ? [wait] : []));
  expect(long.slice(0, 7)).toEqual([0, 2, 5, 10, 19, 36, 69]);
  expect(long.at(-1) ?? 0).toBe(69 + 33 * 28);
  expect(Math.max(...waits)).toBeLessThan(100_000);
});

it("a wait that was worth it makes the next rest short", () => {
  const patience = new Patience();
  for (let wait = 0; wait < 200; wait += 1) looksOf(patience, never);
  let wait = 0;
  while (looksOf(patience, 10) === 1) wait += 1;
  expect(wait).toBeLessThanOrEqual(32);
  expect(looksOf(patience, never)).toBeGreaterThan(1);
  expect(looksOf(patience, never)).toBe(1);
  expect(looksOf(patience, never)).toBeGreaterThan(1);
});
