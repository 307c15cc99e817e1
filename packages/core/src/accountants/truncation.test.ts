import { describe, expect, it } from "vitest";
import { truncationDistance } from "../amplification/truncated-poisson.ts";
import type { Event } from "../events/event.ts";
import { eventFromJson } from "../events/event-json.ts";
import { truncation } from "./truncation.ts";

const noise: unknown = { kind: "gaussian", version: 1, sigma: "1", sensitivity: "1" };
const cut = (limit: string, event: unknown = noise): unknown => ({
  ...{ kind: "truncated-poisson-sample", version: 1, rate: "1/2", population: "10", limit, event },
});
const of = (event: unknown): number => truncation(eventFromJson(event as Event));
const one = truncationDistance({ rate: 0.5, population: 10, limit: 8 });
const other = truncationDistance({ rate: 0.5, population: 10, limit: 9 });
/** Not below, and above by the rounding alone. */
function about(found: number, due: number): void {
  expect(found).toBeGreaterThanOrEqual(due);
  expect(found).toBeLessThanOrEqual(due * (1 + 1e-14));
}

describe("the distance of cut samples", () => {
  it("is that of one, P[Bin(10, ½) > 8] for all who may come", () => {
    // (10 + 1)/1024 and 1/1024, and a bound that is close.
    expect(one).toBeGreaterThanOrEqual(11 / 1024);
    expect(one).toBeLessThan(11.001 / 1024);
    about(of(cut("8")), one);
    expect(of(cut("10"))).toBe(0);
    expect(of(noise)).toBe(0);
  });

  it("adds up over parts and runs, and is the greatest of a mixture", () => {
    about(of({ kind: "compose", version: 1, events: [cut("8"), noise, cut("9")] }), one + other);
    about(of({ kind: "repeat", version: 1, count: "7", event: cut("8") }), 7 * one);
    expect(of({ kind: "repeat", version: 1, count: "7", event: noise })).toBe(0);
    expect(of({ kind: "compose", version: 1, events: [] })).toBe(0);
    const parts = [cut("9"), cut("8"), noise].map((event, i) => ({
      weight: ["1/4", "1/4", "1/2"][i],
      event,
    }));
    about(of({ kind: "mix", version: 1, parts }), one);
    about(of(cut("8", cut("9"))), one + other);
  });

  it("passes through samples and groups", () => {
    for (const around of [
      { kind: "poisson-sample", version: 1, rate: "1/2" },
      { kind: "sample-without-replacement", version: 1, population: "10", sample: "5" },
      { kind: "group", version: 1, size: "3" },
    ])
      about(of({ ...around, event: cut("8") }), one);
  });

  it("is unbounded where a cut sample is run by chance, or over more units than doubles count", () => {
    const best = (event: unknown): unknown => ({
      ...{ kind: "repeat-and-select", version: 1, trials: { law: "poisson", mean: "5" }, event },
    });
    expect(of(best(noise))).toBe(0);
    expect(of(best(cut("8")))).toBe(Number.POSITIVE_INFINITY);
    const huge = { kind: "truncated-poisson-sample", version: 1, rate: "1/2", limit: "9", event: noise };
    expect(of({ ...huge, population: (2n ** 60n).toString() })).toBe(Number.POSITIVE_INFINITY);
  });
});
