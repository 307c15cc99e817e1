import { expect, test } from "vitest";
import { chanceOfPairs } from "./chance-of-pairs.ts";

/** Every way to pair what is left of these values. */
function pairings(values: readonly string[]): readonly (readonly (readonly [string, string])[])[] {
  const [first, ...rest] = values;
  if (first === undefined) return [[]];
  return rest.flatMap((other, at) =>
    pairings([...rest.slice(0, at), ...rest.slice(at + 1)]).map((more) => [[first, other] as const, ...more]),
  );
}

test.each([[["a"]], [["a", "b"]], [["a", "a"]], [["a", "b", "a"]], [["a", "b", "c", "b", "b"]]])(
  "of %j is the share of all pairings that pair equals",
  (pairs) => {
    const all = pairings(pairs.flatMap((value) => [value, value]));
    const equal = all.filter((pairing) => pairing.every(([one, other]) => one === other));
    expect(chanceOfPairs(pairs)).toBeCloseTo(equal.length / all.length, 12);
  },
);

test("nine different pairs are one in 34 million, eight one in two million", () => {
  const pairs = [..."abcdefghi"];
  expect(1 / chanceOfPairs(pairs)).toBeCloseTo(34_459_425, 0);
  expect(1 / chanceOfPairs(pairs.slice(1))).toBeCloseTo(2_027_025, 0);
});
