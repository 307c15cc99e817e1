import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey } from "../../limits/index.ts";
import { type AttemptRules, Attempts, attemptRules, type DelayRule } from "./attempts.ts";

const minute = 60_000;
const rules: AttemptRules = {
  ...attemptRules,
  pair: { free: 2, mostMs: 10 * minute },
  name: { free: 3, mostMs: minute },
  address: { free: 2, mostMs: minute },
  knownMs: 120 * minute,
};

interface Tried {
  readonly name: string;
  readonly address: string;
  readonly at: number;
  readonly held: boolean;
}

/**
 * The rule once more, from the whole history and without a tally: a count is the sum over failures of 2^(−age / half-life), and the attempt that is being made is one of them until
 * it succeeds.
 */
function slowWait(history: readonly Tried[], name: string, address: string, at: number): number {
  const from = addressKey(address);
  const failed = history.filter(({ held }) => !held);
  const count = (list: readonly Tried[], when: number): number =>
    list.reduce((sum, past) => sum + 2 ** (-(when - past.at) / rules.halfLifeMs), 0);
  const delay = (level: number, { free, mostMs }: DelayRule): number =>
    level <= free + 1e-9 ? 0 : Math.min(mostMs, rules.baseMs * 2 ** (level - free));
  const here = history.filter((past) => past.name === name && addressKey(past.address) === from);
  const success = here.findLastIndex(({ held }) => held);
  const own = here.slice(success + 1);
  const lastOwn = own.at(-1)?.at;
  const ownDelay =
    lastOwn === undefined
      ? 0
      : Math.max(
          delay(count(own, lastOwn), rules.pair),
          delay(
            count(
              failed.filter((past) => past.name === name),
              at,
            ),
            rules.name,
          ),
        );
  const ownWait = lastOwn === undefined ? 0 : lastOwn + ownDelay - at;
  const known = here.some((past) => past.held && at - past.at <= rules.knownMs);
  const others = failed.filter((past) => addressKey(past.address) === from);
  const lastOther = others.at(-1)?.at;
  const addressWait =
    known || lastOther === undefined ? 0 : lastOther + delay(count(others, lastOther), rules.address) - at;
  return Math.max(0, ownWait, addressWait);
}

const anyStory = fc.array(
  fc.record({
    name: fc.constantFrom("ada", "bob"),
    address: fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1"),
    gap: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 3000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 300 * minute }) },
    ),
    held: fc.boolean(),
  }),
  { maxLength: 40 },
);

describe("Attempts", () => {
  it("waits as the rule over the whole history says", () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const attempts = new Attempts(rules);
        const history: Tried[] = [];
        let at = 0;
        for (const { name, address, gap, held } of story) {
          at += gap;
          const waitMs = attempts.waitMs(name, address, at);
          const expected = slowWait(history, name, address, at);
          expect(waitMs).toBeGreaterThanOrEqual(expected - 1e-3);
          expect(waitMs).toBeLessThanOrEqual(Math.ceil(expected + 1e-3));
          if (waitMs > 0) continue;
          attempts.begin(name, address, at);
          if (held) attempts.succeeded(name, address, at);
          history.push({ name, address, at, held });
        }
      }),
    );
  });

  it("grows by name, whatever the addresses, and by address, whatever the names", () => {
    const byName = new Attempts();
    for (let index = 0; index < 40; index += 1) byName.begin("ada", `10.0.0.${index}`, 0);
    expect(byName.waitMs("ada", "10.0.0.1", 0)).toBe(minute);
    expect(byName.waitMs("bob", "10.0.0.1", 0)).toBe(0);
    const byAddress = new Attempts();
    for (let index = 0; index < 40; index += 1) byAddress.begin(`n${index}`, "10.0.0.1", 0);
    expect(byAddress.waitMs("anybody", "10.0.0.1", 0)).toBe(minute);
    expect(byAddress.waitMs("anybody", "10.0.0.2", 0)).toBe(0);
  });

  it("counts a wait from the last failure, and not from a success after it", () => {
    const attempts = new Attempts(rules);
    for (let index = 0; index < 3; index += 1) attempts.begin("ada", "10.0.0.1", 0);
    attempts.begin("ada", "10.0.0.1", 2000);
    expect(attempts.waitMs("bob", "10.0.0.1", 2000)).toBeGreaterThan(3000);
    attempts.succeeded("ada", "10.0.0.1", 2000);
    expect(attempts.waitMs("bob", "10.0.0.1", 2000)).toBe(0);
    expect(attempts.waitMs("bob", "10.0.0.1", 1000)).toBe(1000);
  });

  it("takes a success back where another attempt began meanwhile, and keeps that one", () => {
    const attempts = new Attempts(rules);
    for (let index = 0; index < 2; index += 1) attempts.begin("ada", "10.0.0.1", 0);
    attempts.begin("ada", "10.0.0.1", 100);
    attempts.begin("cyd", "10.0.0.1", 200);
    attempts.succeeded("ada", "10.0.0.1", 100);
    // Three failures count, the last of them at 200.
    const waitMs = attempts.waitMs("bob", "10.0.0.1", 200);
    expect(waitMs).toBeGreaterThan(1990);
    expect(waitMs).toBeLessThanOrEqual(2000);
    attempts.succeeded("cyd", "10.0.0.1", 200);
    expect(attempts.waitMs("bob", "10.0.0.1", 200)).toBe(0);
  });

  it("doubles the wait of one address at one name, up to a quarter of an hour", () => {
    const attempts = new Attempts();
    let at = 0;
    const waits = Array.from({ length: 16 }, () => {
      attempts.begin("ada", "10.0.0.1", at);
      const waitMs = attempts.waitMs("ada", "10.0.0.1", at);
      at += waitMs;
      return waitMs;
    });
    expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
    expect(waits.slice(3, 6).map((waitMs) => Math.round(waitMs / 1000))).toEqual([2, 4, 8]);
    expect(waits.at(-1)).toBe(15 * minute);
  });

  it("never keeps a person out from an address of their own, however many others try", () => {
    const flood = fc.array(
      fc.record({ address: fc.ipV4(), name: fc.constantFrom("ada", "bob"), gap: fc.nat(5000) }),
      { minLength: 20, maxLength: 200 },
    );
    fc.assert(
      fc.property(flood, (tries) => {
        const attempts = new Attempts();
        const home = "2001:db8:77::1";
        let at = 0;
        let failedAt: number | null = null;
        for (const { address, name, gap } of tries) {
          at += gap;
          attempts.begin(name, address, at);
          if (failedAt === null) expect(attempts.waitMs("ada", home, at)).toBe(0);
          else
            expect(attempts.waitMs("ada", home, at)).toBeLessThanOrEqual(Math.max(0, failedAt + minute - at));
          if (failedAt === null && at > 20_000) {
            attempts.begin("ada", home, at);
            failedAt = at;
          }
        }
      }),
    );
  });

  it("lets those in who signed in from an address, though others there try every name", () => {
    const attempts = new Attempts();
    attempts.begin("ada", "10.0.0.1", 0);
    attempts.succeeded("ada", "10.0.0.1", 0);
    for (let index = 0; index < 100; index += 1) attempts.begin(`n${index}`, "10.0.0.1", 1000);
    expect(attempts.waitMs("ada", "10.0.0.1", 1000)).toBe(0);
    expect(attempts.waitMs("bob", "10.0.0.1", 1000)).toBe(minute);
  });

  it("forgives no failure at another name for a success of one's own", () => {
    const attempts = new Attempts();
    for (let index = 0; index < 30; index += 1) {
      attempts.begin("ada", "10.0.0.1", 0);
      attempts.begin("mallory", "10.0.0.1", 0);
      attempts.succeeded("mallory", "10.0.0.1", 0);
    }
    expect(attempts.waitMs("ada", "10.0.0.1", 0)).toBeGreaterThan(minute);
    expect(attempts.waitMs("bob", "10.0.0.1", 0)).toBe(minute);
  });

  it("waits no longer than the delay when the clock goes back", () => {
    const attempts = new Attempts();
    for (let index = 0; index < 40; index += 1) attempts.begin("ada", "10.0.0.1", 1e12);
    expect(attempts.waitMs("ada", "10.0.0.1", 0)).toBe(15 * minute);
  });

  it("stays small under a flood, and remembers whom the flood is about", () => {
    const attempts = new Attempts({ ...attemptRules, most: 100 });
    for (let index = 0; index < 20; index += 1) attempts.begin("ada", "10.9.9.9", 0);
    for (let index = 0; index < 5000; index += 1) {
      attempts.begin(`n${index}`, `10.0.${index >> 8}.${index & 255}`, 0);
      attempts.succeeded(`m${index}`, `10.1.${index >> 8}.${index & 255}`, 0);
    }
    expect(attempts.size).toBeLessThanOrEqual(400);
    expect(attempts.waitMs("ada", "10.9.9.9", 0)).toBe(15 * minute);
  });

  it("takes all texts that are no names for one", () => {
    const attempts = new Attempts();
    for (let index = 0; index < 20; index += 1) attempts.begin("x".repeat(100 + index), "10.0.0.1", 0);
    expect(attempts.size).toBe(3);
    expect(attempts.waitMs("\u0000", "10.0.0.1", 0)).toBe(15 * minute);
  });
});
