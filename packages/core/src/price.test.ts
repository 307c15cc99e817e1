import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PriceTarget } from "./accountants/price-events.ts";
import { epsilonFromGaussian } from "./conversions/gaussian/gaussian-to-approximate.ts";
import type { Event } from "./events/event.ts";
import { eventFromJson } from "./events/event-json.ts";
import { add, compare, parseRational, type Rational, ratio, subtract, toDouble } from "./numeric/rational.ts";
import { price } from "./price.ts";

const laplace: Event = { kind: "laplace", version: 1, scale: "3", l1: "2" };
const gaussian: Event = { kind: "rounded-gaussian", version: 1, sigma: "5", l2Squared: "3" };
const discrete: Event = { kind: "discrete-gaussian", version: 1, sigmaSquared: "25", l2Squared: "3" };
const constant: Event = { kind: "constant", version: 1 };
const select = (rule: Extract<Event, { kind: "select-groups" }>["rule"], groups: string): Event => ({
  kind: "select-groups",
  version: 1,
  rule,
  groups,
});
const geometric = select({ rule: "truncated-geometric", epsilon: "1/5", delta: "1e-8" }, "3");
const laplaceThreshold = select({ rule: "laplace-threshold", scale: "4", threshold: "90" }, "2");
const gaussianThreshold = select({ rule: "gaussian-threshold", sigma: "6", threshold: "50" }, "2");
const leaves = { laplace, gaussian, discrete, constant, geometric, laplaceThreshold, gaussianThreshold };

const delta = parseRational("1e-5");
const targets: readonly PriceTarget[] = [
  { measure: "pure" },
  { measure: "approximate", delta },
  { measure: "zcdp" },
];

/** The price, or the code of the refusal. */
function outcome(event: Event, target: PriceTarget): unknown {
  try {
    return price(event, target);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("repeat", () => {
  const anyEvent: fc.Arbitrary<Event> = fc.letrec<{
    event: Event;
    leaf: Event;
    compose: Event;
    repeat: Event;
  }>((tie) => ({
    leaf: fc.constantFrom(...Object.values(leaves)),
    compose: fc
      .array(tie("event"), { maxLength: 3 })
      .map((events) => ({ kind: "compose", version: 1, events })),
    repeat: fc
      .tuple(fc.integer({ min: 1, max: 3 }), tie("event"))
      .map(([count, event]) => ({ kind: "repeat", version: 1, count: `${count}`, event })),
    event: fc.oneof({ maxDepth: 2 }, tie("leaf"), tie("compose"), tie("repeat")),
  })).event;

  it.each(Object.entries(leaves))("of %s costs what its copies cost one by one", (_name, event) => {
    for (const target of targets) {
      for (const n of [1, 2, 7, 40]) {
        const listed: Event = { kind: "compose", version: 1, events: Array.from({ length: n }, () => event) };
        const repeated: Event = { kind: "repeat", version: 1, count: `${n}`, event };
        expect(outcome(repeated, target)).toEqual(outcome(listed, target));
      }
    }
  });

  it("of any tree costs what its copies cost one by one", () => {
    fc.assert(
      fc.property(anyEvent, fc.integer({ min: 1, max: 4 }), (event, n) => {
        for (const target of targets) {
          const listed: Event = {
            kind: "compose",
            version: 1,
            events: Array.from({ length: n }, () => event),
          };
          const repeated: Event = { kind: "repeat", version: 1, count: `${n}`, event };
          expect(outcome(repeated, target)).toEqual(outcome(listed, target));
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each(["0", "-1", "1/2", "NaN", "x"])("refuses a count of %s", (count) => {
    const event: Event = { kind: "repeat", version: 1, count, event: laplace };
    expect(() => price(event, { measure: "pure" })).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});

describe("price", () => {
  it("adds up Laplace noise", () => {
    const event: Event = { kind: "compose", version: 1, events: [laplace, laplace, constant] };
    expect(price(event, { measure: "pure" })).toEqual({ measure: "pure", epsilon: ratio(4n, 3n) });
    expect(price(event, { measure: "zcdp" })).toMatchObject({ rho: ratio(4n, 9n) });
    expect(price(event, { measure: "approximate", delta })).toEqual({
      measure: "approximate",
      epsilon: ratio(4n, 3n),
      delta: ratio(0n),
    });
  });

  it("composes Gaussians before it prices them, at the δ that selections leave", () => {
    const event: Event = { kind: "compose", version: 1, events: [gaussian, geometric, gaussian, laplace] };
    const left = subtract(delta, parseRational("3e-8"));
    const noise = epsilonFromGaussian(ratio(6n, 25n), left);
    expect(price(event, { measure: "approximate", delta })).toEqual({
      measure: "approximate",
      epsilon: add(add(noise, ratio(3n, 5n)), ratio(2n, 3n)),
      delta,
    });
    const separately = (price(gaussian, { measure: "approximate", delta }) as { epsilon: Rational }).epsilon;
    expect(compare(noise, add(separately, separately))).toBe(-1);
  });

  it("composes a Gaussian threshold with the Gaussian noise of the same question", () => {
    const event: Event = { kind: "compose", version: 1, events: [gaussian, gaussianThreshold] };
    const together = price(event, { measure: "approximate", delta }) as { epsilon: Rational };
    const apart = [gaussian, gaussianThreshold].map(
      (each) =>
        (price(each, { measure: "approximate", delta: parseRational("5e-6") }) as { epsilon: Rational })
          .epsilon,
    );
    expect(compare(together.epsilon, add(apart[0]!, apart[1]!))).toBe(-1);
  });

  it.each([
    ["gaussian", gaussian],
    ["discrete", discrete],
    ["geometric", geometric],
    ["laplaceThreshold", laplaceThreshold],
    ["gaussianThreshold", gaussianThreshold],
  ])("refuses %s under pure DP", (_name, event) => {
    expect(() => price(event, { measure: "pure" })).toThrow(
      expect.objectContaining({ code: "query.missing-delta" }),
    );
  });

  it("refuses when selections leave no δ", () => {
    const tight: PriceTarget = { measure: "approximate", delta: parseRational("3e-8") };
    expect(price(geometric, tight)).toEqual({ ...tight, epsilon: ratio(3n, 5n) });
    const both: Event = { kind: "compose", version: 1, events: [geometric, gaussian] };
    expect(() => price(both, tight)).toThrow(expect.objectContaining({ code: "query.missing-delta" }));
  });

  it("refuses what it does not know", () => {
    const strange = [
      { kind: "exponential", version: 1 },
      { ...laplace, version: 2 },
      { kind: "toString", version: 1 },
      { kind: "compose", version: 1, events: [laplace, { ...gaussian, version: 0 }] },
    ] as unknown as Event[];
    for (const event of strange) {
      for (const target of targets) {
        expect(() => price(event, target)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
      }
    }
    for (const bad of ["1", "-1", "3"]) {
      expect(() => price(laplace, { measure: "approximate", delta: parseRational(bad) })).toThrow(
        expect.objectContaining({ code: "parameter.invalid" }),
      );
    }
    expect(() => price(laplace, { measure: "renyi" } as unknown as PriceTarget)).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });

  it("refuses a tree deeper than it will follow", () => {
    let event: Event = laplace;
    for (let depth = 0; depth < 50; depth += 1) event = { kind: "compose", version: 1, events: [event] };
    expect(() => price(event, { measure: "pure" })).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});

describe("against composition oracles", () => {
  const oracle: { readonly cases: readonly { readonly id: string; readonly [field: string]: unknown }[] } =
    JSON.parse(readFileSync(new URL("../../../testing/oracles/accounting.json", import.meta.url), "utf8"));
  const repeat = (count: number, event: Event): Event => ({
    kind: "repeat",
    version: 1,
    count: `${count}`,
    event,
  });
  const laplaceAt = (scale: number): Event => ({ kind: "laplace", version: 1, scale: `${scale}`, l1: "1" });
  /** Our event, and the largest ε by which it may exceed the optimum. */
  const events: Readonly<Record<string, readonly [Event, number]>> = {
    "lap-comp-1": [repeat(100, laplaceAt(10)), 10],
    "lap-comp-2": [repeat(30, laplaceAt(5)), 6],
    "lap-comp-3": [repeat(3, laplaceAt(1)), 3],
    "dlap-comp-1": [repeat(100, laplaceAt(10)), 10],
    "mixed-1": [
      {
        kind: "compose",
        version: 1,
        events: [
          repeat(4, { kind: "rounded-gaussian", version: 1, sigma: "5", l2Squared: "1" }),
          repeat(20, laplaceAt(10)),
        ],
      },
      4,
    ],
    "dgauss-comp-1": [
      repeat(50, { kind: "discrete-gaussian", version: 1, sigmaSquared: "100", l2Squared: "1" }),
      3.7,
    ],
  };

  it.each(Object.entries(events))("%s: never below the optimum", (id, [event, most]) => {
    const found = oracle.cases.find((each) => each.id === id)!;
    const optimum = "value" in found ? Number(found.value) : (found.within as readonly number[])[0]!;
    const { epsilon } = price(event, {
      measure: "approximate",
      delta: parseRational(String(found.delta)),
    }) as { epsilon: Rational };
    expect(toDouble(epsilon, "up")).toBeGreaterThanOrEqual(optimum);
    expect(toDouble(epsilon, "up")).toBeLessThanOrEqual(most);
  });
});

describe("eventFromJson", () => {
  it.each(Object.entries(leaves))("reads %s back", (_name, event) => {
    const tree: Event = {
      kind: "repeat",
      version: 1,
      count: "3",
      event: { kind: "compose", version: 1, events: [event, constant] },
    };
    const read = eventFromJson(JSON.parse(JSON.stringify(tree)));
    for (const target of targets) expect(outcome(read, target)).toEqual(outcome(tree, target));
    expect(eventFromJson(JSON.parse(JSON.stringify(read)))).toEqual(read);
  });

  it.each([
    null,
    [],
    "laplace",
    {},
    { kind: "laplace", version: 1, scale: "2" },
    { kind: "laplace", version: "1", scale: "2", l1: "1" },
    { kind: "laplace", version: 1, scale: 2, l1: "1" },
    { kind: "laplace", version: 1, scale: "0", l1: "1" },
    { kind: "laplace", version: 1, scale: "2", l1: "-1" },
    { kind: "laplace", version: 1, scale: "2", l1: "1", note: "" },
    { kind: "constant", version: 2 },
    { kind: "__proto__", version: 1 },
    { kind: "compose", version: 1, events: {} },
    { kind: "repeat", version: 1, count: "0", event: constant },
    {
      kind: "select-groups",
      version: 1,
      groups: "0",
      rule: { rule: "laplace-threshold", scale: "1", threshold: "3" },
    },
    {
      kind: "select-groups",
      version: 1,
      groups: "1",
      rule: { rule: "laplace-threshold", scale: "1", threshold: "0" },
    },
    { kind: "select-groups", version: 1, groups: "1", rule: { rule: "best", scale: "1", threshold: "3" } },
    {
      kind: "select-groups",
      version: 1,
      groups: "1",
      rule: { rule: "truncated-geometric", epsilon: "1", delta: "1e-6", minUnits: "0" },
    },
  ])("refuses %o", (json) => {
    expect(() => eventFromJson(json)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });

  it("refuses a tree that is too deep, without running out of stack", () => {
    let json: unknown = constant;
    for (let depth = 0; depth < 5000; depth += 1) json = { kind: "compose", version: 1, events: [json] };
    expect(() => eventFromJson(json)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });
});
