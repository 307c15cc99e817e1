import type { BitSource } from "../../entropy/bit-source.ts";
import { WordBuffer } from "../../entropy/word-buffer.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { wordAt } from "../../numeric/elements/element-at.ts";
import { floor, multiply, type Rational, ratio, subtract, toDouble, toText } from "../../numeric/rational.ts";
import { bernoulli } from "../bernoulli.ts";
import { uniformSequence } from "../uniform-sequence.ts";

/** Half a word for each coin: one in 65,536 needs more. */
const coinBits = 16;

/**
 * The places, of `units`, whose own coin of this rate fell on "in": each independently with exactly this chance. In rising order. One pass
 * over all units, whoever is in.
 * Errors: parameter.invalid unless 0 ≤ rate ≤ 1 and units is an integer from 0 to 2^32 − 1.
 * @example poissonBatch(ratio(1n, 250n), 60_000, secureEntropy()).length // => 243, say
 */
export function poissonBatch(rate: Rational, units: number, bits: BitSource): Uint32Array {
  if (!(rate.num >= 0n && rate.num <= rate.den)) throw invalidParameter("rate", toText(rate), "from 0 to 1");
  checkUnits(units);
  const scaled = multiply(rate, ratio(1n << BigInt(coinBits)));
  const certain = floor(scaled);
  // A coin equal to `limit` is undecided: its next bits are compared with those of the rate.
  const [limit, rest] = [Number(certain), subtract(scaled, ratio(certain))];
  const buffer = new WordBuffer(bits, Math.ceil(units / 2));
  // Twelve deviations of room; more than that is copied.
  const mean = units * toDouble(rate, "up");
  let taken = new Uint32Array(Math.min(units, Math.ceil(mean + 12 * Math.sqrt(mean) + 64)));
  let count = 0;
  const decide = (unit: number, coin: number): void => {
    if (coin > limit || unit >= units || (coin === limit && !bernoulli(rest, buffer))) return;
    if (count === taken.length) taken = grown(taken, units);
    taken[count] = unit;
    count += 1;
  };
  try {
    for (let unit = 0; unit < units; unit += 2) {
      if (buffer.next >= buffer.end) buffer.readAhead(Math.ceil((units - unit) / 2));
      const word = buffer.word();
      const [even, odd] = [word & 0xffff, word >>> coinBits];
      if (even > limit && odd > limit) continue;
      decide(unit, even);
      decide(unit + 1, odd);
    }
  } finally {
    buffer.forget();
  }
  return taken.slice(0, count);
}

function grown(taken: Uint32Array<ArrayBuffer>, units: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(Math.min(units, 2 * taken.length));
  more.set(taken);
  return more;
}

/**
 * A uniformly random subset of `limit` of the batch, in rising order; the batch itself where it is no larger.
 * Errors: parameter.invalid unless limit is an integer ≥ 1.
 */
export function cutBatch(batch: Uint32Array, limit: number, bits: BitSource): Uint32Array {
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw invalidParameter("limit", limit, "an integer ≥ 1");
  if (batch.length <= limit) return batch;
  const kept = uniformSequence(limit, batch.length, bits);
  return Uint32Array.from(kept, (place) => wordAt(batch, place)).sort();
}

/**
 * A bin of 0 … bins − 1 for each of `units`, uniform and independent.
 * Errors: parameter.invalid unless bins is an integer from 1 to 2^31 and units one from 0 to 2^32 − 1.
 */
export function uniformBins(bins: number, units: number, bits: BitSource): Uint32Array {
  if (!(Number.isSafeInteger(bins) && bins >= 1 && bins <= 2 ** 31)) {
    throw invalidParameter("bins", bins, "an integer from 1 to 2^31");
  }
  checkUnits(units);
  const allocated = new Uint32Array(units);
  if (bins === 1) return allocated;
  const unused = Math.clz32(bins - 1);
  const buffer = new WordBuffer(bits, units);
  try {
    for (let unit = 0; unit < units; unit++) {
      let bin = bins;
      while (bin >= bins) {
        buffer.readAhead(units - unit);
        bin = (buffer.word() << unused) >>> unused;
      }
      allocated[unit] = bin;
    }
  } finally {
    buffer.forget();
  }
  return allocated;
}

function checkUnits(units: number): void {
  if (!(Number.isSafeInteger(units) && units >= 0 && units < 2 ** 32)) {
    throw invalidParameter("units", units, "an integer from 0 to 2^32 − 1");
  }
}
