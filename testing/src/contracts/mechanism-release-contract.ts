import { type BitSource, price, ratio } from "@lethe/core";
import { type Noise, noiseEvent, noiseSampler, releaseGroups, seal } from "@lethe/core/mechanisms";
import { drawsFrom } from "@lethe/core/tape";
import { describe, expect, it } from "vitest";

/** Seeded words for replays (xorshift32). Not secure, and not uniform enough for statistics of tails. */
export function seededWords(seed: number): BitSource {
  let state = seed | 1;
  return {
    word() {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    },
  };
}

/** Tests that the noise that is priced is the noise that is drawn. */
export function releaseContract(name: string, noise: Noise, eventKind: string): void {
  describe(`${name}: release`, () => {
    it("is the exact value plus the sampler's draw on the same coins", () => {
      const sampler = noiseSampler(noise);
      const coins = seededWords(7);
      for (let round = 0; round < 50; round += 1) {
        const exact = BigInt(round * round - 400);
        const rows = seal({ groups: [{ key: [], units: 0n, sums: [exact, 1n] }] });
        const program = {
          measurements: [
            {
              terms: [
                { column: 0, coefficient: "-3" },
                { column: 1, coefficient: "2" },
              ],
              noise,
            },
          ],
          keys: { kind: "none" },
        } as const;
        const [group] = releaseGroups(rows, program, drawsFrom(seededWords(round + 1)));
        expect(group!.values).toEqual([-3n * exact + 2n + sampler.sample(seededWords(round + 1))]);
      }
      // The draws are not all alike (unless there is none).
      const draws = new Set(Array.from({ length: 200 }, () => sampler.sample(coins)));
      expect(draws.size > 1).toBe(noise.mechanism !== "constant@1");
    });

    it("is recorded with the parameters that were drawn", () => {
      const sensitivity = noise.mechanism === "constant@1" ? 0n : 3n;
      const event = noiseEvent(noise, { l1: sensitivity, l2Squared: sensitivity * sensitivity });
      expect(event.kind).toBe(eventKind);
      const { mechanism: _mechanism, ...parameters } = noise;
      expect(event).toMatchObject(parameters);
      const loss = price(event, { measure: "approximate", delta: ratio(1n, 1000n) });
      expect(loss).toMatchObject({ measure: "approximate" });
    });
  });
}
