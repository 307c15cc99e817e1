import { describe, expect, it } from "vitest";
import { pldCurve } from "../curves/index.ts";
import { gaussianPair } from "./gaussian-pair.ts";
import { sampledPair } from "./sampled-pair.ts";
import { secretMovesPair } from "./secret-moves-pair.ts";

const moves = [
  { weight: 0.9, move: 0 },
  { weight: 0.05, move: 0.5 },
  { weight: 0.05, move: 1 },
];
const epsilonOf = (pair: ReturnType<typeof secretMovesPair>, count: bigint, delta = 1e-5) =>
  pldCurve([{ pair, count }], 1e-4).epsilon(delta);

describe("moves drawn in secret", () => {
  it("are a Poisson sample where there is one", () => {
    const drawn = secretMovesPair(
      [
        { weight: 0.75, move: 0 },
        { weight: 0.25, move: 0.5 },
      ],
      "add-or-remove-one",
    );
    const sampled = sampledPair(gaussianPair(0.5), 0.25);
    for (const count of [1n, 20n]) {
      const [a, b] = [epsilonOf(drawn, count), epsilonOf(sampled, count)];
      expect(Math.abs(a.upper - b.upper)).toBeLessThan(2e-4);
      expect(a.lower).toBeLessThanOrEqual(b.upper);
      expect(b.lower).toBeLessThanOrEqual(a.upper);
    }
  });

  it("of two units add up; of too many are bounded by the farthest", () => {
    const pair = secretMovesPair(moves, "add-or-remove-one");
    const two = pair.apart!(2, 0)!;
    expect(two.id).toContain("0.5");
    expect(two.tight).toBe(true);
    const [one, both, three] = [pair, two, pair.apart!(3, 0)!].map((each) => epsilonOf(each, 10n).upper);
    expect(both).toBeGreaterThan(one!);
    expect(three).toBeGreaterThan(both!);
    // 300 sums of a hundred units are not listed.
    const many = pair.apart!(200, 100)!;
    expect(many.tight).toBe(false);
    expect(many.gaussian).toBeNull();
    expect(pair.group(3)!.tight).toBe(false);
    expect(epsilonOf(pair.group(3)!, 10n).upper).toBeGreaterThan(three!);
    expect(epsilonOf(pair.group(3)!, 10n).lower).toBe(0);
  });

  it("of replaced units go both ways, and replaced groups in all their sums", () => {
    const pair = secretMovesPair(moves, "replace-one");
    expect(pair.symmetric).toBe(true);
    const two = pair.group(2)!;
    expect(two.id).toBe(secretMovesPair(moves, "add-or-remove-one").apart!(2, 2)!.id);
    expect(epsilonOf(pair, 10n).lower).toBeGreaterThan(
      epsilonOf(secretMovesPair(moves, "add-or-remove-one"), 10n).upper,
    );
  });
});
