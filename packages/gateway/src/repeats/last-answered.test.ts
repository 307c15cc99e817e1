import fc from "fast-check";
import { expect, it } from "vitest";
import { lastAnswered } from "./last-answered.ts";

it("finds the last place that is answered, and asks about few", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.nat(40), fc.nat(100_000)), async (last) => {
      const looked: number[] = [];
      const found = await lastAnswered(async (place) => {
        looked.push(place);
        return place <= last;
      });
      expect(found).toBe(last);
      expect(Math.min(...looked)).toBe(1);
      expect(looked.length).toBeLessThanOrEqual(2 * Math.log2(last + 1) + 2);
    }),
    { seed: 1, numRuns: 300 },
  );
});
