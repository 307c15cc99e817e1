import { expect, it } from "vitest";
import { seal } from "../../exact/index.ts";
import { BitTape, RecordingSource, SeededSource } from "../../tape.ts";
import type { Noise } from "../noise.ts";
import { noiseSampler } from "../registry.ts";
import { sealedVectorRelease } from "./release-sealed-vector.ts";

const noises: readonly Noise[] = [
  { mechanism: "rounded-gaussian@1", sigma: "100" },
  { mechanism: "discrete-laplace@1", scale: "7/2" },
  { mechanism: "constant@1" },
];

it.each(noises)(
  "adds one draw of $mechanism a coordinate to what is sealed, and no other number",
  (noise) => {
    const exact = Float64Array.of(5, -7, 2 ** 40, 0);
    const recorder = new RecordingSource(new SeededSource(3));
    const release = sealedVectorRelease(noise, recorder);
    const released = [release(seal(exact)), release(seal(exact))];
    const sampler = noiseSampler(noise);
    const replay = new BitTape(recorder.words);
    for (const noisy of released) {
      const draws = new Float64Array(exact.length);
      sampler.fill(draws, replay);
      expect([...noisy]).toEqual([...exact].map((x, i) => x + (draws[i] ?? Number.NaN)));
    }
    expect([...exact]).toEqual([5, -7, 2 ** 40, 0]);
  },
);

it("opens nothing but a sealed vector", () => {
  const release = sealedVectorRelease({ mechanism: "constant@1" }, new SeededSource(1));
  expect(() => release(Float64Array.of(1) as never)).toThrow("not an Exact");
});
