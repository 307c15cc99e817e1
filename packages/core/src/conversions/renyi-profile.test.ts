import fc from "fast-check";
import { expect, it } from "vitest";
import { gaussianRenyi } from "../losses/renyi/curves/gaussian-renyi.ts";
import { pureRenyi } from "../losses/renyi/curves/pure-renyi.ts";
import { zcdpRenyi } from "../losses/renyi/curves/zcdp-renyi.ts";
import { renyiProfile } from "./renyi-profile.ts";
import { deltaFromRenyi } from "./renyi-to-approximate.ts";

it("lies above the bound over all orders, and close to it", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-4, max: 5, noNaN: true }),
      fc.double({ min: 0, max: 12, noNaN: true }),
      fc.constantFrom(zcdpRenyi, gaussianRenyi, pureRenyi),
      (size, epsilon, make) => {
        const curve = make(size);
        const least = deltaFromRenyi(curve, epsilon);
        const listed = renyiProfile(curve)(epsilon);
        expect(listed).toBeGreaterThanOrEqual(least * (1 - 1e-12));
        // A step of 0.1 in log(α − 1) misses the least of a parabola by about a thousandth of its depth.
        if (least > 1e-200) expect(Math.log(listed)).toBeLessThan(Math.log(least) * (1 - 3e-3) + 1e-9);
      },
    ),
  );
});

it("asks the curve once an order, and refuses what is no ε", () => {
  let asked = 0;
  const profile = renyiProfile({
    ...zcdpRenyi(0.5),
    at: (order) => {
      asked += 1;
      return order / 2;
    },
  });
  profile(1);
  const once = asked;
  profile(2);
  expect(asked).toBe(once);
  for (const epsilon of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => profile(epsilon)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  }
});
