import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey } from "./address-key.ts";
import { type LimitedRequest, RateLimits, type RequestKind, requestKinds, tooMany } from "./rate-limits.ts";
import { readBody } from "./read-body.ts";
import { senderAddress } from "./sender-address.ts";
import { draw, drawnShare, type Rate, spend } from "./token-bucket.ts";

const rate: Rate = { burst: 3, perSecond: 2 };

describe("a bucket", () => {
  it("gives its burst at once, then as many a second as its rate", () => {
    let bucket: number | undefined;
    const waits = [0, 0, 0, 0, 499, 500, 1000, 1001].map((at) => {
      const drawn = draw(bucket, rate, at);
      bucket = drawn.fullAt;
      return drawn.waitMs;
    });
    expect(waits).toEqual([0, 0, 0, 500, 1, 0, 0, 499]);
  });

  it("admits at the moment that it names, and never more than burst + rate × time", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (gaps) => {
        let at = 0;
        let bucket: number | undefined;
        let admitted = 0;
        for (const gap of gaps) {
          at += gap;
          const drawn = draw(bucket, rate, at);
          bucket = drawn.fullAt;
          if (drawn.waitMs === 0) admitted += 1;
          else expect(draw(bucket, rate, at + drawn.waitMs).waitMs).toBe(0);
          expect(admitted).toBeLessThanOrEqual(rate.burst + (at / 1000) * rate.perSecond);
        }
      }),
    );
  });

  it("gives a request that counts as several, or as a part of one, its cost at most", () => {
    const costs = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 3000 }),
        cost: fc.double({ min: 0.01, max: 4, noNaN: true }),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(costs, (steps) => {
        let at = 0;
        let bucket: number | undefined;
        let admitted = 0;
        for (const { gap, cost } of steps) {
          at += gap;
          const drawn = draw(bucket, rate, at, cost);
          bucket = drawn.fullAt;
          if (drawn.waitMs === 0) admitted += Math.min(cost, rate.burst);
          else expect(draw(bucket, rate, at + drawn.waitMs, cost).waitMs).toBe(0);
          expect(admitted).toBeLessThanOrEqual(rate.burst + (at / 1000) * rate.perSecond + 1e-9);
        }
      }),
    );
    expect(draw(undefined, rate, 0, 99)).toEqual(draw(undefined, rate, 0, 3));
    expect(draw(undefined, rate, 0, 0.5).fullAt).toBe(250);
  });

  it("is drawn down to empty by what a request turns out to cost, and by no more", () => {
    const acts = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 3000 }),
        cost: fc.double({ min: 0, max: 6, noNaN: true }),
        isSpent: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(acts, (all) => {
        let [at, tokens] = [0, rate.burst];
        let bucket: number | undefined;
        for (const { gap, cost, isSpent } of all) {
          at += gap;
          tokens = Math.min(rate.burst, tokens + (gap / 1000) * rate.perSecond);
          if (isSpent) {
            bucket = spend(bucket, rate, at, cost);
            tokens = Math.max(0, tokens - cost);
          }
          expect((1 - drawnShare(bucket ?? at, rate, at)) * rate.burst).toBeCloseTo(tokens, 6);
        }
      }),
    );
    expect(draw(spend(undefined, rate, 0, 99), rate, 0).waitMs).toBe(500);
  });

  it("neither refills nor freezes when the clock goes back", () => {
    const hour = 3_600_000;
    const back = draw(hour + 1500, rate, 0);
    expect(back.waitMs).toBe(500);
    expect(draw(back.fullAt, rate, 500).waitMs).toBe(0);
    expect([0, 750, 1500, hour].map((fullAt) => drawnShare(fullAt, rate, 0))).toEqual([0, 0.5, 1, 1]);
  });
});

const rates = Object.fromEntries(
  requestKinds.map((kind, index) => [
    kind,
    { person: { burst: 1 + index, perSecond: 0.5 }, address: { burst: 3 + index, perSecond: 1 } },
  ]),
) as Record<RequestKind, { person: Rate; address: Rate }>;

const anyRequests = fc.array(
  fc.record({
    kind: fc.constantFrom(...requestKinds),
    person: fc.option(fc.constantFrom("ada", "bob", "carol"), { nil: null }),
    address: fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"),
    gap: fc.integer({ min: 0, max: 1500 }),
  }),
  { maxLength: 80 },
);

/** The rule once more, as a bound on every stretch of the history: no bucket is kept. */
function slowWait(history: readonly LimitedRequest[], { kind, person, address, at }: LimitedRequest): number {
  const wait = (rule: Rate, same: (past: LimitedRequest) => boolean): number => {
    const moments = history.filter((each) => each.kind === kind && same(each)).map((past) => past.at);
    // Counting from any admitted request on, this one included: at most burst + rate × time.
    const earliest = moments.map(
      (from, index) => from + ((moments.length - index + 1 - rule.burst) * 1000) / rule.perSecond,
    );
    return Math.ceil(Math.max(at, ...earliest)) - at;
  };
  return Math.max(
    wait(rates[kind].address, (past) => addressKey(past.address) === addressKey(address)),
    person === null ? 0 : wait(rates[kind].person, (past) => past.person === person),
  );
}

describe("RateLimits", () => {
  it("is a function of the requests alone: the rule over the whole history says the same", () => {
    fc.assert(
      fc.property(anyRequests, (requests) => {
        const limits = new RateLimits(rates, 10_000);
        const admitted: LimitedRequest[] = [];
        let at = 0;
        for (const { gap, ...rest } of requests) {
          at += gap;
          const request = { ...rest, at };
          const waitMs = limits.waitMs(request);
          expect(waitMs).toBe(slowWait(admitted, request));
          if (waitMs === 0) admitted.push(request);
        }
      }),
    );
  });

  it("draws what a request cost from the person and from the address", () => {
    const limits = new RateLimits(rates, 100);
    const request = { kind: "ask", person: "ada", address: "192.0.2.1", at: 0 } as const;
    limits.spend({ ...request, cost: 2 });
    expect(limits.waitMs(request)).toBe(2000);
    expect(limits.waitMs({ ...request, person: "bob" })).toBe(0);
    expect(limits.waitMs({ ...request, person: "carol" })).toBe(1000);
    expect(limits.waitMs({ ...request, person: "ada", kind: "read" })).toBe(0);
  });

  it("keeps a bounded number of buckets, and what it forgets lets nobody wait longer", () => {
    fc.assert(
      fc.property(anyRequests, fc.integer({ min: 1, max: 6 }), (requests, most) => {
        const [small, large] = [new RateLimits(rates, most), new RateLimits(rates, 10_000)];
        let at = 0;
        for (const { gap, ...rest } of requests) {
          at += gap;
          const request = { ...rest, at };
          // Both are shown the same requests: one that the large one refuses draws from neither.
          if (large.waitMs(request) === 0) expect(small.waitMs(request)).toBe(0);
          expect(small.size).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  it("stays small under a flood of addresses, and the one that floods most is remembered", () => {
    const limits = new RateLimits(rates, 100);
    const request = { kind: "sign-in", person: null, at: 0 } as const;
    while (limits.waitMs({ ...request, address: "203.0.113.9" }) === 0);
    for (let index = 0; index < 5000; index += 1)
      limits.waitMs({ ...request, address: `10.0.${index >> 8}.${index & 255}` });
    expect(limits.size).toBeLessThanOrEqual(100);
    expect(limits.waitMs({ ...request, address: "203.0.113.9" })).toBeGreaterThan(0);
  });

  it("says the wait in whole seconds, at least one", () => {
    expect(tooMany(1)).toMatchObject({ code: "serve.too-many", fields: { retryAfter: 1 } });
    expect(tooMany(1001)).toMatchObject({ fields: { retryAfter: 2 } });
  });
});

describe("addressKey", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.000.2.01", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:201", "192.0.2.1"],
    ["2001:db8:1:2::99", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd", "2001:db8:1:2"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
    ["192.0.2.256", "unknown"],
    ["1:2:3", "unknown"],
    ["1::2::3", "unknown"],
    ["1:2:3:4:5:6:7:8:9", "unknown"],
    ["::12345", "unknown"],
    ["", "unknown"],
    ["localhost", "unknown"],
  ])("%s is %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it("is the same for all addresses of one network, and fails on no text", () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.string(), (address, text) => {
        expect(addressKey(address)).not.toBe("unknown");
        expect(addressKey(address.toUpperCase())).toBe(addressKey(address));
        expect(typeof addressKey(text)).toBe("string");
      }),
    );
  });
});

describe("senderAddress", () => {
  const proxies = ["10.0.0.2", "10.0.0.3", "2001:db8::5"];
  it.each([
    ["192.0.2.1", null, "192.0.2.1"],
    ["192.0.2.1", "203.0.113.9", "192.0.2.1"],
    ["10.0.0.2", null, "10.0.0.2"],
    ["10.0.0.2", "", "10.0.0.2"],
    ["10.0.0.2", "192.0.2.1", "192.0.2.1"],
    ["::ffff:10.0.0.2", "192.0.2.1", "192.0.2.1"],
    ["10.0.0.2", "203.0.113.9, 192.0.2.1", "192.0.2.1"],
    ["10.0.0.2", "203.0.113.9, 192.0.2.1, 10.0.0.3", "192.0.2.1"],
    ["10.0.0.2", "10.0.0.3", "10.0.0.3"],
    ["2001:DB8::5", "[2001:db8:9::1]:443", "2001:db8:9::1"],
    ["10.0.0.2", `${"1.1.1.1,".repeat(5000)}192.0.2.1`, "192.0.2.1"],
  ])("of %s, told %j, is %s", (peer, forwarded, sender) => {
    expect(senderAddress(peer, forwarded, proxies)).toBe(sender);
  });

  it("is not what the sender wrote, whatever that is", () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), (written, sender) => {
        fc.pre(!proxies.includes(sender));
        expect(senderAddress("10.0.0.2", `${written},${sender}`, proxies)).toBe(sender);
        expect(senderAddress("192.0.2.1", written, proxies)).toBe("192.0.2.1");
      }),
    );
  });
});

describe("readBody", () => {
  async function* sent(chunks: readonly Uint8Array[], seen: { count: number }): AsyncIterable<Uint8Array> {
    for (const chunk of chunks) {
      seen.count += 1;
      yield chunk;
    }
  }

  it("gives the bytes that came, up to the limit", async () => {
    const anyChunks = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(anyChunks, fc.nat(60), async (chunks, limit) => {
        const size = chunks.reduce((total, chunk) => total + chunk.length, 0);
        const reading = readBody(sent(chunks, { count: 0 }), null, limit);
        if (size > limit) await expect(reading).rejects.toMatchObject({ code: "serve.too-large" });
        else expect([...(await reading)]).toEqual(chunks.flatMap((chunk) => [...chunk]));
      }),
    );
  });

  it("reads nothing where too much is declared, and stops at the first chunk beyond the limit", async () => {
    const chunks = Array.from({ length: 300 }, () => new Uint8Array(1000));
    const declared = { count: 0 };
    await expect(readBody(sent(chunks, declared), 300_000, 65_536)).rejects.toMatchObject({
      code: "serve.too-large",
      fields: { limit: 65_536 },
    });
    expect(declared.count).toBe(0);
    const lied = { count: 0 };
    await expect(readBody(sent(chunks, lied), 10, 65_536)).rejects.toMatchObject({ code: "serve.too-large" });
    expect(lied.count).toBe(66);
    await expect(readBody(sent([], lied), Number.NaN, 9)).rejects.toMatchObject({ code: "serve.too-large" });
  });
});
