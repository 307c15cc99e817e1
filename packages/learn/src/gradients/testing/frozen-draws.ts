import type { Noise, TrainingDraws } from "@lethe/core/mechanisms";
import { elementAt, parseRational, toDouble } from "@lethe/core/numeric";
import { asTrainingDraws, SeededSource, trainingDrawsFrom } from "@lethe/core/tape";

/** One vector that was released: the exact one that went in, and what came out. */
export interface Released {
  readonly noise: Noise;
  readonly exact: Float64Array;
  readonly output: Float64Array;
}

/** What one run asked of its draws. */
export interface Asked {
  /** Which draws were prepared, with their parameters. */
  readonly parts: string[];
  readonly released: Released[];
  readonly batches: Uint32Array[];
  readonly bins: Uint32Array[];
}

const nothing = (): Asked => ({ parts: [], released: [], batches: [], bins: [] });

/** A word for each place, that hangs on the seed, the draw and the place alone: a unit more changes no other's coin. */
function wordsOf(seed: number, draw: number, count: number): number[] {
  const coins = new SeededSource(seed * 65_537 + draw);
  return Array.from({ length: count }, () => coins.word());
}

/** Draws, recorded; with another run's record its outputs are handed out again, whatever goes in. Samples hang on each unit's own coins. */
export function frozenDraws(
  seed: number,
  before: Asked | null = null,
): { draws: TrainingDraws; asked: Asked } {
  const asked = nothing();
  const fresh = trainingDrawsFrom(new SeededSource(seed));
  const draws = asTrainingDraws({
    noise(noise, turn) {
      asked.parts.push(`noise ${JSON.stringify(noise)}`);
      const release = fresh.noise(noise, turn);
      return (exact) => {
        const output = before?.released[asked.released.length]?.output ?? release(exact);
        asked.released.push({ noise, exact: exact.slice(), output: output.slice() });
        return output.slice();
      };
    },
    poisson(rate, limit) {
      asked.parts.push(`poisson ${rate} ${limit}`);
      const chance = toDouble(parseRational(rate), "down") * 2 ** 32;
      return (units) => {
        const words = wordsOf(seed, asked.batches.length, units);
        const batch = Uint32Array.from(words.flatMap((word, place) => (word < chance ? [place] : [])));
        asked.batches.push(batch);
        return batch;
      };
    },
    bins(bins) {
      asked.parts.push(`bins ${bins}`);
      return (units) => {
        const drawn = Uint32Array.from(wordsOf(seed, asked.bins.length, units), (word) => word % bins);
        asked.bins.push(drawn);
        return drawn;
      };
    },
  });
  return { draws, asked };
}

/** The squared ℓ2 distance of what went into one draw on each of two runs. */
export function moved(here: Released, there: Released): number {
  return here.exact.reduce((sum, x, i) => sum + (x - elementAt(there.exact, i)) ** 2, 0);
}
