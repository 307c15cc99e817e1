import { LetheError } from "@lethe/core";
import { addressKey } from "./address-key.ts";
import { draw, drawnShare, type FullAt, type Rate, spend } from "./token-bucket.ts";

/** Requests that are counted together. Each kind has a rate of its own a person and an address. */
export const requestKinds = ["ask", "explain", "read", "change", "sign-in"] as const;

export type RequestKind = (typeof requestKinds)[number];

/** The rates of one kind. A request must fit both. */
export interface KindRates {
  readonly person: Rate;
  readonly address: Rate;
}

/** A request as the limits see it: nothing of its answer, of its duration or of data. */
export interface LimitedRequest {
  readonly kind: RequestKind;
  /** The principal's name, or null where nobody is signed in. */
  readonly person: string | null;
  readonly address: string;
  /** The moment that it came, in milliseconds of a clock that does not go back. */
  readonly at: number;
  /** How many requests it counts as: one unless stated. */
  readonly cost?: number;
}

/** Rates that requests are held to: by {@link RateLimits} in one process, or by a store that several share. */
export interface RequestLimits {
  /** Milliseconds to wait before this request would be admitted: 0 where it is. A request that is not admitted draws from no bucket. */
  waitMs(request: LimitedRequest): number | Promise<number>;
  /** Draws what an admitted request turned out to cost beside what it was admitted for, down to empty buckets at most. */
  spend(request: LimitedRequest & { readonly cost: number }): void | Promise<void>;
}

/** A bucket that a request draws from. */
export interface DrawnBucket {
  readonly key: string;
  readonly rate: Rate;
}

/** The buckets that a request draws from: that of its address, and that of its person where somebody is signed in. */
export function bucketsOf(
  rates: Readonly<Record<RequestKind, KindRates>>,
  { kind, person, address }: LimitedRequest,
): readonly DrawnBucket[] {
  const { [kind]: rate } = rates;
  const ofAddress = { key: JSON.stringify([kind, "address", addressKey(address)]), rate: rate.address };
  if (person === null) return [ofAddress];
  return [ofAddress, { key: JSON.stringify([kind, "person", person]), rate: rate.person }];
}

/**
 * Admits requests by rate, or says how long to wait. What it says is a pure function of the requests that it was shown. It keeps at most `most`
 * buckets. A full bucket is as good as none and goes first; where that is not enough, the fullest go, which lets somebody ask a little earlier and keeps nobody out.
 */
export class RateLimits implements RequestLimits {
  readonly #rates: Readonly<Record<RequestKind, KindRates>>;
  readonly #most: number;
  readonly #buckets = new Map<string, { readonly fullAt: FullAt; readonly rate: Rate }>();

  constructor(rates: Readonly<Record<RequestKind, KindRates>>, most: number) {
    this.#rates = rates;
    this.#most = most;
  }

  /** The number of buckets that are kept now. */
  get size(): number {
    return this.#buckets.size;
  }

  waitMs(request: LimitedRequest): number {
    const { at, cost } = request;
    const draws = bucketsOf(this.#rates, request).map(({ key, rate }) => ({
      ...{ key, rate },
      ...draw(this.#buckets.get(key)?.fullAt, rate, at, cost),
    }));
    const waitMs = Math.max(...draws.map((each) => each.waitMs));
    if (waitMs > 0) return waitMs;
    this.#keep(draws, at);
    return 0;
  }

  spend(request: LimitedRequest & { readonly cost: number }): void {
    const { at, cost } = request;
    const drawn = bucketsOf(this.#rates, request).map(({ key, rate }) => ({
      ...{ key, rate },
      fullAt: spend(this.#buckets.get(key)?.fullAt, rate, at, cost),
    }));
    this.#keep(drawn, at);
  }

  #keep(drawn: readonly { key: string; rate: Rate; fullAt: FullAt }[], at: number): void {
    for (const { key, rate, fullAt } of drawn) this.#buckets.set(key, { fullAt, rate });
    if (this.#buckets.size > this.#most) this.#forget(at);
  }

  /** Drops three quarters of what is kept at most, the fullest first, so that the work of it is spread over as many requests. */
  #forget(at: number): void {
    const drawn = [...this.#buckets].map(([key, { fullAt, rate }]) => ({
      key,
      share: drawnShare(fullAt, rate, at),
    }));
    drawn.sort((a, b) => a.share - b.share);
    const kept = Math.floor(this.#most / 4);
    for (const [index, { key, share }] of drawn.entries())
      if (share <= 0 || index < drawn.length - kept) this.#buckets.delete(key);
  }
}

/** The refusal of a request that came too early. `retryAfter` is in whole seconds, as the header Retry-After has it. */
export function tooMany(waitMs: number): LetheError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new LetheError("serve.too-many", "more requests came than the rate allows", {
    fix: `wait ${seconds} s, then send it again with the same request id`,
    fields: { retryAfter: seconds },
  });
}
