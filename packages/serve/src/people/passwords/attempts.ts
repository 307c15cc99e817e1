import { isName } from "@lethe/query";
import { addressKey } from "../../limits/index.ts";
import { foldName } from "../person-name.ts";
import { Tallies } from "./tallies.ts";

/** A delay that doubles with each failure beyond the free ones, up to the most. */
export interface DelayRule {
  readonly free: number;
  readonly mostMs: number;
}

/** How the delays of sign-ins grow. */
export interface AttemptRules {
  /** The delay by the failures of one address at one name. */
  readonly pair: DelayRule;
  /** The delay by the failures of all addresses at one name. */
  readonly name: DelayRule;
  /** The delay by the failures of one address at all names. */
  readonly address: DelayRule;
  readonly baseMs: number;
  readonly halfLifeMs: number;
  /** The time that an address is remembered from which somebody signed in. */
  readonly knownMs: number;
  /** The most entries of each kind that are kept. */
  readonly most: number;
}

const minute = 60_000;

/** The rules of the service. */
export const attemptRules: AttemptRules = {
  pair: { free: 3, mostMs: 15 * minute },
  name: { free: 10, mostMs: minute },
  address: { free: 5, mostMs: minute },
  baseMs: 1000,
  halfLifeMs: 240 * minute,
  knownMs: 30 * 24 * 60 * minute,
  most: 10_000,
};

/**
 * The delays between sign-ins: a pure function of the attempts that it was shown and of their moments. Names count alike whether somebody has them or not.
 *
 * * Who failed waits, counted from their own last failure at that name: others may lengthen that wait up to `name.mostMs`, and never begin it anew. So nobody at another
 *   address can keep a person out: a first attempt from an address of one's own is admitted, and after a failure of one's own the next is, in a bounded time.
 * * An address that failed at many names waits before any further name, but for names that signed in from it within `knownMs`.
 * * A success takes its own attempt back and clears that address at that name. It forgives no failure at another name.
 */
export class Attempts {
  readonly #rules: AttemptRules;
  readonly #pairs: Tallies;
  readonly #names: Tallies;
  readonly #addresses: Tallies;
  readonly #known = new Map<string, number>();

  constructor(rules: AttemptRules = attemptRules) {
    this.#rules = rules;
    this.#pairs = new Tallies(rules.halfLifeMs, rules.most);
    this.#names = new Tallies(rules.halfLifeMs, rules.most);
    this.#addresses = new Tallies(rules.halfLifeMs, rules.most);
  }

  /** The number of entries that are kept now, at most four times `most`. */
  get size(): number {
    return this.#pairs.size + this.#names.size + this.#addresses.size + this.#known.size;
  }

  /** Milliseconds to wait before an attempt would be admitted: 0 where it is now. */
  waitMs(name: string, address: string, at: number): number {
    const keys = keysOf(name, address);
    const { pair, name: byName, address: byAddress } = this.#rules;
    const own = this.#pairs.atLast(keys.pair);
    const ownDelay = own
      ? Math.max(this.#delay(own.level, pair), this.#delay(this.#names.level(keys.name, at), byName))
      : 0;
    const others = this.#isKnown(keys.pair, at) ? null : this.#addresses.atLast(keys.address);
    const addressDelay = others ? this.#delay(others.level, byAddress) : 0;
    return Math.max(0, remaining(own?.last, ownDelay, at), remaining(others?.last, addressDelay, at));
  }

  /** Counts an attempt as failed before it is checked, so that many at the same time are not all admitted. */
  begin(name: string, address: string, at: number): void {
    const keys = keysOf(name, address);
    this.#pairs.add(keys.pair, at);
    this.#names.add(keys.name, at);
    this.#addresses.add(keys.address, at);
  }

  /** Says that the attempt succeeded. */
  succeeded(name: string, address: string, at: number): void {
    const keys = keysOf(name, address);
    this.#pairs.drop(keys.pair);
    this.#names.takeBack(keys.name, at);
    this.#addresses.takeBack(keys.address, at);
    // In the order of the last success, so that the oldest goes first.
    this.#known.delete(keys.pair);
    this.#known.set(keys.pair, at);
    const oldest = this.#known.keys().next();
    if (this.#known.size > this.#rules.most && !oldest.done) this.#known.delete(oldest.value);
  }

  #isKnown(pair: string, at: number): boolean {
    const since = this.#known.get(pair);
    return since !== undefined && at - since <= this.#rules.knownMs;
  }

  #delay(level: number, { free, mostMs }: DelayRule): number {
    return level <= free ? 0 : Math.min(mostMs, this.#rules.baseMs * 2 ** (level - free));
  }
}

/** The rest of a delay. A clock that went back makes it no longer than the delay itself. */
function remaining(since: number | undefined, delay: number, at: number): number {
  return since === undefined ? 0 : Math.ceil(Math.min(delay, since + delay - at));
}

/** Texts that are no name are one name, so that they fill no memory. */
function keysOf(name: string, address: string): { name: string; address: string; pair: string } {
  const known = isName(name) ? foldName(name) : "";
  const from = addressKey(address);
  return { name: known, address: from, pair: JSON.stringify([known, from]) };
}
