/** A rate: `burst` requests at once, and then `perSecond`. `burst` is a whole number from 1, `perSecond` is above 0. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * A token bucket, held as the moment at which it is full again, in milliseconds (the generic cell rate algorithm of ITU-T I.371): one number, and
 * nothing to refill. A bucket that is full is the same as none.
 */
export type FullAt = number;

const spacing = ({ perSecond }: Rate): number => 1000 / perSecond;

/** The moment at which a bucket is full, as seen at `at`. A clock that went back leaves it empty at worst, so that nobody waits for the clock to catch up. */
function fullAtSeen(fullAt: FullAt | undefined, rate: Rate, at: number): FullAt {
  return Math.max(at, Math.min(fullAt ?? at, at + rate.burst * spacing(rate)));
}

/** The share of a bucket that is drawn: 0 where it is full, 1 where it is empty. */
export function drawnShare(fullAt: FullAt, rate: Rate, at: number): number {
  return (fullAtSeen(fullAt, rate, at) - at) / (rate.burst * spacing(rate));
}

/**
 * Draws from a bucket, or says how many milliseconds to wait. A pure function of the moments and costs of earlier requests and of this one.
 * @param cost what is drawn, above 0: one for a request, unless it is larger or smaller than one. More than the burst would never be admitted, and draws the burst.
 * @example draw(undefined, { burst: 1, perSecond: 2 }, 0) // => { fullAt: 500, waitMs: 0 }
 */
export function draw(
  fullAt: FullAt | undefined,
  rate: Rate,
  at: number,
  cost = 1,
): { readonly fullAt: FullAt; readonly waitMs: number } {
  const drawn = Math.min(cost, rate.burst);
  const seen = fullAtSeen(fullAt, rate, at);
  const earliest = seen - (rate.burst - drawn) * spacing(rate);
  if (at >= earliest) return { fullAt: seen + drawn * spacing(rate), waitMs: 0 };
  return { fullAt: seen, waitMs: Math.ceil(earliest) - at };
}

/**
 * Draws what a request turned out to cost, down to an empty bucket at most, and refuses nothing.
 * @param cost from 0; a part of one is drawn as a part
 * @example spend(undefined, { burst: 10, perSecond: 2 }, 0, 4) // => 2000
 */
export function spend(fullAt: FullAt | undefined, rate: Rate, at: number, cost: number): FullAt {
  return fullAtSeen(fullAtSeen(fullAt, rate, at) + cost * spacing(rate), rate, at);
}
