import { isName } from "@lethe/query";
import { addressKey } from "../../limits/index.ts";
import { foldName } from "../person-name.ts";
import { type KeptTally, Tallies } from "./tallies.ts";

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

/** An attempt that was counted as failed before it is checked, or is not admitted yet. */
export interface AttemptBegun {
  /** Milliseconds to wait before it would be admitted: 0 where it was, and is counted. */
  readonly waitMs: number;
  /** The moment of it, which {@link SignInAttempts.succeeded} is told. */
  readonly at: number;
}

/** The delays between sign-ins: by {@link Attempts} in one process, or by a store that several share, whose clock it then is. */
export interface SignInAttempts {
  /** Milliseconds to wait before an attempt would be admitted: 0 where it is now. */
  waitMs(name: string, address: string, at: number): number | Promise<number>;
  /** Counts an attempt as failed before it is checked, so that many at the same time are not all admitted; one that must wait is not counted. */
  admit(name: string, address: string, at: number): AttemptBegun | Promise<AttemptBegun>;
  /** Says that the attempt of a moment succeeded. */
  succeeded(name: string, address: string, at: number): void | Promise<void>;
}

/** What is kept of one name at one address, for a place that keeps it elsewhere. */
export interface KeptAttempts {
  readonly pair: KeptTally | null;
  readonly name: KeptTally | null;
  readonly address: KeptTally | null;
  /** The moment of the last success of this name at this address; null where that is not known. */
  readonly known: number | null;
}

/**
 * The delays between sign-ins: a pure function of the attempts that it was shown and of their moments. Names count alike whether somebody has them or not.
 *
 * * Who failed waits, counted from their own last failure at that name: others may lengthen that wait up to `name.mostMs`, and never begin it anew. So nobody at another
 *   address can keep a person out: a first attempt from an address of one's own is admitted, and after a failure of one's own the next is, in a bounded time.
 * * An address that failed at many names waits before any further name, but for names that signed in from it within `knownMs`.
 * * A success takes its own attempt back and clears that address at that name. It forgives no failure at another name.
 */
export class Attempts implements SignInAttempts {
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

  waitMs(name: string, address: string, at: number): number {
    const keys = attemptKeys(name, address);
    const { pair, name: byName, address: byAddress } = this.#rules;
    const own = this.#pairs.atLast(keys.pair);
    const ownDelay = own
      ? Math.max(this.#delay(own.level, pair), this.#delay(this.#names.level(keys.name, at), byName))
      : 0;
    const others = this.#isKnown(keys.pair, at) ? null : this.#addresses.atLast(keys.address);
    const addressDelay = others ? this.#delay(others.level, byAddress) : 0;
    return Math.max(0, remaining(own?.last, ownDelay, at), remaining(others?.last, addressDelay, at));
  }

  admit(name: string, address: string, at: number): AttemptBegun {
    const waitMs = this.waitMs(name, address, at);
    if (waitMs === 0) this.begin(name, address, at);
    return { waitMs, at };
  }

  /** Returns what is kept of a name at an address. */
  kept(name: string, address: string): KeptAttempts {
    const keys = attemptKeys(name, address);
    return {
      pair: this.#pairs.kept(keys.pair),
      name: this.#names.kept(keys.name),
      address: this.#addresses.kept(keys.address),
      known: this.#known.get(keys.pair) ?? null,
    };
  }

  /** Takes in what {@link Attempts.kept} gave, of a name at an address. */
  keep(name: string, address: string, { pair, name: ofName, address: ofAddress, known }: KeptAttempts): void {
    const keys = attemptKeys(name, address);
    if (pair) this.#pairs.keep(keys.pair, pair);
    if (ofName) this.#names.keep(keys.name, ofName);
    if (ofAddress) this.#addresses.keep(keys.address, ofAddress);
    if (known !== null) this.#known.set(keys.pair, known);
  }

  /** Counts an attempt as failed. */
  begin(name: string, address: string, at: number): void {
    const keys = attemptKeys(name, address);
    this.#pairs.add(keys.pair, at);
    this.#names.add(keys.name, at);
    this.#addresses.add(keys.address, at);
  }

  succeeded(name: string, address: string, at: number): void {
    const keys = attemptKeys(name, address);
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

/** The keys by which attempts are counted. Texts that are no name are one name, so that they fill no memory. */
export function attemptKeys(
  name: string,
  address: string,
): { readonly name: string; readonly address: string; readonly pair: string } {
  const known = isName(name) ? foldName(name) : "";
  const from = addressKey(address);
  return { name: known, address: from, pair: JSON.stringify([known, from]) };
}
