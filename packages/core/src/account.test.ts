import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account } from "./account.ts";
import type { AccountOptions } from "./accountants/account-with.ts";
import { randomAllocation } from "./amplification/random-allocation.ts";
import { eventFromDpAccounting } from "./events/dp-accounting.ts";
import { dpSgdEvent } from "./events/dp-sgd-event.ts";
import type { Event, EventKind } from "./events/event.ts";
import { treeAggregationEvent } from "./events/tree-aggregation-event.ts";
import type { RepresentationId } from "./losses/loss-algebra.ts";
import { pldCurve } from "./losses/pld/curves/index.ts";
import { gaussianPair, sampledApart } from "./losses/pld/pairs/index.ts";
import { ndtr } from "./numeric/special/ndtr.ts";

/** The numbers of one case of the oracle file. */
type OracleNumbers = Readonly<Record<string, number>>;
const oracle: { readonly cases: readonly { readonly id: string }[] } = JSON.parse(
  readFileSync(new URL("../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
function oracleCase(id: string): OracleNumbers {
  const found = oracle.cases.find((each) => each.id === id);
  if (!found) throw new Error(`no oracle ${id}`);
  return found as unknown as OracleNumbers;
}
const listOf = (id: string, field: string): readonly number[] =>
  (oracleCase(id) as unknown as Readonly<Record<string, readonly number[]>>)[field]!;

const representations: readonly RepresentationId[] = [
  "pure",
  "approximate",
  "gaussian",
  "zcdp",
  "renyi",
  "pld",
];
const code = (expected: string) => expect.objectContaining({ code: expected });
const gaussian = (sigma: number | string): Event => ({
  kind: "gaussian",
  version: 1,
  sigma: `${sigma}`,
  sensitivity: "1",
});
const laplace = (scale: number | string, sensitivity = "1"): Event => ({
  kind: "continuous-laplace",
  version: 1,
  scale: `${scale}`,
  sensitivity,
});
const repeat = (event: Event, count: number | bigint): Event => ({
  kind: "repeat",
  version: 1,
  count: `${count}`,
  event,
});
const compose = (...events: readonly Event[]): Event => ({ kind: "compose", version: 1, events });
const poisson = (event: Event, rate: number | string): Event => ({
  kind: "poisson-sample",
  version: 1,
  rate: `${rate}`,
  event,
});

/** One event of every kind, and the adjacency under which it is provable. */
const everyKind: { readonly [K in EventKind]: readonly [Event & { readonly kind: K }, AccountOptions?] } = {
  laplace: [{ kind: "laplace", version: 1, scale: "3", l1: "2" }],
  "rounded-gaussian": [{ kind: "rounded-gaussian", version: 1, sigma: "5", l2Squared: "3" }],
  "discrete-gaussian": [{ kind: "discrete-gaussian", version: 1, sigmaSquared: "25", l2Squared: "3" }],
  "select-groups": [
    {
      kind: "select-groups",
      version: 1,
      rule: { rule: "gaussian-threshold", sigma: "6", threshold: "50" },
      groups: "2",
    },
  ],
  constant: [{ kind: "constant", version: 1 }],
  pure: [{ kind: "pure", version: 1, epsilon: "1/10" }],
  approximate: [{ kind: "approximate", version: 1, epsilon: "1/10", delta: "1e-9" }],
  zcdp: [{ kind: "zcdp", version: 1, rho: "1/100" }],
  "bounded-range": [{ kind: "bounded-range", version: 1, epsilon: "1/2" }],
  "gaussian-dp": [{ kind: "gaussian-dp", version: 1, muSquared: "1/25" }],
  "finite-pair": [{ kind: "finite-pair", version: 1, p: ["2/3", "1/3"], q: ["1/3", "2/3"] }],
  gaussian: [{ kind: "gaussian", version: 1, sigma: "5", sensitivity: "1" }],
  "continuous-laplace": [{ kind: "continuous-laplace", version: 1, scale: "10", sensitivity: "1" }],
  shuffle: [{ kind: "shuffle", version: 1, reports: "10000", epsilon: "1" }, { adjacency: "replace-one" }],
  "random-allocation": [
    { kind: "random-allocation", version: 1, steps: "10", selected: "1", sigma: "2", sensitivity: "1" },
  ],
  "gaussian-mixture": [
    {
      kind: "gaussian-mixture",
      version: 1,
      sigma: "2",
      moves: [
        { weight: "9/10", move: "0" },
        { weight: "7/100", move: "1" },
        { weight: "3/100", move: "2" },
      ],
    },
  ],
  compose: [{ kind: "compose", version: 1, events: [gaussian(4), laplace(8)] }],
  "poisson-sample": [{ kind: "poisson-sample", version: 1, rate: "1/10", event: gaussian(2) }],
  "truncated-poisson-sample": [
    {
      kind: "truncated-poisson-sample",
      version: 1,
      rate: "1/100",
      population: "10000",
      limit: "250",
      event: gaussian(2),
    },
  ],
  "sample-without-replacement": [
    { kind: "sample-without-replacement", version: 1, population: "1000", sample: "10", event: gaussian(2) },
    { adjacency: "replace-one" },
  ],
  group: [{ kind: "group", version: 1, size: "2", event: gaussian(8) }],
  mix: [
    {
      kind: "mix",
      version: 1,
      parts: [
        { weight: "1/3", event: gaussian(4) },
        { weight: "2/3", event: laplace(8) },
      ],
    },
  ],
  "repeat-and-select": [
    {
      kind: "repeat-and-select",
      version: 1,
      trials: { law: "negative-binomial", shape: "1", stop: "1/10" },
      event: gaussian(10),
    },
  ],
  repeat: [{ kind: "repeat", version: 1, count: "3", event: laplace(12) }],
};
const kinds = Object.entries(everyKind) as readonly (readonly [
  EventKind,
  readonly [Event, AccountOptions?],
])[];

describe.each(kinds)("%s", (_kind, [event, options]) => {
  const coarse = { ...options, accuracy: 1e-3 };

  it("costs n times what n copies cost, one by one, in every representation, and in any grouping", () => {
    for (const n of [2, 5]) {
      const listed = account(compose(...Array.from({ length: n }, () => structuredClone(event))), coarse);
      const counted = account(repeat(event, n), coarse);
      const grouped = account(compose(repeat(event, n - 1), event), coarse);
      for (const representation of representations) {
        const curves = [listed, counted, grouped].map((each) => each.by(representation));
        expect(new Set(curves.map((curve) => curve === null)).size, representation).toBe(1);
        const [a, b, c] = curves.map((curve) => curve?.epsilon(1e-5).upper ?? 0) as [number, number, number];
        expect(a, representation).toBe(b);
        if (Number.isFinite(b)) expect(Math.abs(c - b), representation).toBeLessThanOrEqual(2e-3 * (1 + b));
      }
    }
  });

  it("has bounds in order and in their domains, falling in ε and δ, growing with n", () => {
    const one = account(event, coarse);
    const many = account(event, coarse).power(3);
    let last = Number.POSITIVE_INFINITY;
    for (const delta of [1e-8, 1e-5, 1e-2]) {
      const bounds = one.epsilon(delta);
      expect(bounds.lower).toBeGreaterThanOrEqual(0);
      expect(bounds.lower).toBeLessThanOrEqual(bounds.upper);
      expect(bounds.upper).toBeLessThanOrEqual(last * (1 + 1e-9) + 1e-3);
      expect(many.epsilon(delta).upper).toBeGreaterThanOrEqual(bounds.lower);
      last = bounds.upper;
    }
    for (const epsilon of [0, 0.5, 3]) {
      const bounds = one.delta(epsilon);
      expect(bounds.lower).toBeGreaterThanOrEqual(0);
      expect(bounds.lower).toBeLessThanOrEqual(bounds.upper);
      expect(bounds.upper).toBeLessThanOrEqual(1);
    }
    const tradeoff = one.tradeoff(0.3);
    expect(tradeoff.lower).toBeLessThanOrEqual(tradeoff.upper);
    expect(tradeoff.upper).toBeLessThanOrEqual(0.7);
  });

  it("is never contradicted: no representation's upper end lies below another's lower end", () => {
    const whole = account(repeat(event, 4), coarse);
    const answers = representations.flatMap(
      (representation) => whole.by(representation)?.epsilon(1e-5) ?? [],
    );
    const lower = Math.max(...answers.map((answer) => answer.lower));
    const upper = Math.min(...answers.map((answer) => answer.upper));
    expect(lower).toBeLessThanOrEqual(upper);
  });
});

describe("oracles", () => {
  it.each(["sgd-31", "sgd-32", "sgd-33", "sgd-35", "sgd-38"])("%s", (id) => {
    const c = oracleCase(id);
    const rate = c.q === undefined ? { units: c.n!, batch: c.batch! } : { rate: c.q };
    const whole = account(dpSgdEvent({ ...rate, noiseMultiplier: c.sigma!, steps: c.steps! }));
    const { lower, upper } = whole.epsilon(c.delta!);
    expect(Math.abs(upper - c.pld!)).toBeLessThanOrEqual(c.atol!);
    expect(lower).toBeLessThanOrEqual(c.pld! + c.atol!);
    expect(lower).toBeGreaterThan(c.pld! - 2 * c.atol!);
    // Orders are a continuum here, a list there: never above theirs, and close to it.
    const renyi = whole.by("renyi")!.epsilon(c.delta!).upper;
    expect(renyi).toBeLessThanOrEqual(c.rdp_cks! + c.atol!);
    expect(renyi).toBeGreaterThan(c.rdp_cks! * 0.999);
  });

  it.each(["ag-eps-1", "ag-eps-2"])("%s", (id) => {
    const c = oracleCase(id);
    const { lower, upper } = account(gaussian(c.sigma!)).epsilon(c.delta!);
    expect(Math.abs(upper / c.value! - 1)).toBeLessThanOrEqual(c.rtol!);
    expect(Math.abs(lower / c.value! - 1)).toBeLessThanOrEqual(c.rtol!);
  });

  it.each(["ag-delta-1", "ag-delta-2", "ag-delta-3"])("%s", (id) => {
    const c = oracleCase(id);
    expect(Math.abs(account(gaussian(c.sigma!)).delta(c.epsilon!).upper / c.value! - 1)).toBeLessThanOrEqual(
      c.rtol!,
    );
  });

  it.each(["kov-1", "kov-2", "kov-3"])("%s", (id) => {
    const c = oracleCase(id);
    const event: Event = { kind: "approximate", version: 1, epsilon: `${c.epsilon0}`, delta: `${c.delta0}` };
    const whole = account(repeat(event, c.k!));
    expect(Math.abs(whole.by("approximate")!.epsilon(c.delta!).upper / c.value! - 1)).toBeLessThanOrEqual(
      c.rtol!,
    );
    // PLD of randomized response ≡ KOV.
    const pld = whole.by("pld")!.epsilon(c.delta!);
    expect(pld.lower).toBeLessThanOrEqual(c.value! * (1 + c.rtol!));
    expect(pld.upper).toBeGreaterThanOrEqual(c.value! * (1 - c.rtol!));
    expect(pld.upper - pld.lower).toBeLessThan(2e-4);
  });

  it("mv-1", () => {
    const c = oracleCase("mv-1");
    const whole = account(
      compose(
        ...listOf("mv-1", "epsilons").map(
          (epsilon): Event => ({ kind: "pure", version: 1, epsilon: `${epsilon}` }),
        ),
      ),
    ).by("approximate")!;
    expect(Math.abs(whole.delta(1).upper / c.delta_at_epsilon_1! - 1)).toBeLessThanOrEqual(c.rtol!);
    expect(Math.abs(whole.epsilon(1e-3).upper / c["epsilon_at_delta_1e-3"]! - 1)).toBeLessThanOrEqual(
      c.rtol!,
    );
  });

  it.each(["lap-comp-1", "lap-comp-2", "lap-comp-3"])("%s", (id) => {
    const c = oracleCase(id);
    const within = listOf(id, "within");
    const { lower, upper } = account(repeat(laplace(c.scale!), c.k!)).epsilon(c.delta!);
    expect(upper).toBeGreaterThanOrEqual(within[0]!);
    expect(upper).toBeLessThan(within[1]! + 1e-4);
    expect(lower).toBeLessThanOrEqual(within[1]!);
  });

  it("mixed-1", () => {
    const c = oracleCase("mixed-1");
    const within = listOf("mixed-1", "within");
    const { lower, upper } = account(compose(repeat(gaussian(5), 4), repeat(laplace(10), 20))).epsilon(
      c.delta!,
    );
    expect(upper).toBeGreaterThanOrEqual(within[0]!);
    expect(upper).toBeLessThan(within[1]! + 1e-4);
    expect(lower).toBeLessThanOrEqual(within[1]!);
  });

  it("dgauss-comp-1, dgauss-delta-1, dgauss-delta-2: integer noise by its own masses", () => {
    const discrete = (sigmaSquared: string): Event => ({
      kind: "discrete-gaussian",
      version: 1,
      sigmaSquared,
      l2Squared: "1",
    });
    const c = oracleCase("dgauss-comp-1");
    const within = listOf("dgauss-comp-1", "within");
    const { lower, upper } = account(repeat(discrete("100"), c.k!)).epsilon(c.delta!);
    expect(upper).toBeGreaterThanOrEqual(within[0]!);
    expect(upper).toBeLessThan(within[1]! + 1e-4);
    // The file writes seven digits.
    expect(lower).toBeLessThanOrEqual(within[1]! + 5e-7);
    const first = oracleCase("dgauss-delta-1");
    expect(account(discrete("13.91737636")).delta(1).upper / first.value!).toBeCloseTo(1, 5);
    const second = oracleCase("dgauss-delta-2");
    expect(account(discrete("1")).delta(1).upper / second.value!).toBeCloseTo(1, 5);
    expect(account(discrete("1")).delta(1).upper).toBeGreaterThan(account(gaussian(1)).delta(1).upper);
  });

  it("dlap-comp-1: 100 unit counts with discrete Laplace noise are randomized response", () => {
    const c = oracleCase("dlap-comp-1");
    const whole = account(repeat({ kind: "laplace", version: 1, scale: "10", l1: "1" }, 100));
    expect(Math.abs(whole.epsilon(c.delta!).upper / c.value! - 1)).toBeLessThanOrEqual(c.rtol!);
  });

  it("compose-1", () => {
    const c = oracleCase("compose-1");
    const part = (epsilon: string, delta: string): Event => ({
      kind: "approximate",
      version: 1,
      epsilon,
      delta,
    });
    const { upper } = account(compose(part("1", "1/10"), part("2", "1/5"))).delta(3);
    expect(Math.abs(upper - c.value!)).toBeLessThanOrEqual(1e-12);
  });

  it("sub-lap, sub-gauss: the worse of both directions", () => {
    const fine = { accuracy: 1e-7 };
    const lap = oracleCase("sub-lap-1");
    expect(Math.abs(account(laplace(2, "4"), fine).delta(0.5).upper / lap.value! - 1)).toBeLessThan(
      lap.rtol!,
    );
    const sampled = oracleCase("sub-lap-2");
    const both = account(poisson(laplace(2, "4"), 0.8), fine).delta(0.5);
    expect(Math.abs(both.upper / sampled.remove! - 1)).toBeLessThan(sampled.rtol!);
    const gauss = oracleCase("sub-gauss-1");
    const worse = account(poisson(gaussian(1), 0.8), fine).delta(1);
    expect(Math.abs(worse.upper / gauss.remove! - 1)).toBeLessThan(gauss.rtol!);
  });

  it("shuffle-1", () => {
    const c = oracleCase("shuffle-1");
    const event: Event = { kind: "shuffle", version: 1, reports: "10000", epsilon: "1" };
    const { upper } = account(event, { adjacency: "replace-one" }).epsilon(c.delta!);
    expect(upper).toBeGreaterThan(c.clone! - c.atol!);
    expect(upper).toBeLessThan(c.clone! + 2e-4);
  });

  it("alloc-1", () => {
    const c = oracleCase("alloc-1");
    const within = listOf("alloc-1", "within");
    const event: Event = {
      kind: "random-allocation",
      version: 1,
      steps: "100",
      selected: "1",
      sigma: `${c.sigma!}`,
      sensitivity: "1",
    };
    const { lower, upper } = account(event).epsilon(c.delta!);
    expect(upper).toBeGreaterThan(within[0]!);
    expect(upper).toBeLessThan(within[1]!);
    expect(lower).toBeLessThanOrEqual(upper);
  });

  it("group-1", () => {
    const c = oracleCase("group-1");
    const event: Event = { kind: "approximate", version: 1, epsilon: "1/10", delta: "1e-6" };
    expect(account(event).group(5).delta(0.5).upper / c.value!).toBeLessThanOrEqual(1 + 1e-9);
    expect(account(event).group(5).by("approximate")!.delta(0.5).upper / c.value!).toBeCloseTo(1, 8);
  });
});

describe("faults of others", () => {
  it("1,000 exponential mechanisms cost what they cost listed, not what one costs", () => {
    const json = (count: number) => ({
      class_name: "SelfComposedDpEvent",
      count,
      event: { class_name: "ExponentialMechanismDpEvent", epsilon: 0.5 },
    });
    const whole = account(eventFromDpAccounting(json(1000)));
    const one = account(eventFromDpAccounting(json(1)));
    expect(one.by("renyi")!.epsilon(1e-6).upper).toBeLessThanOrEqual(0.5);
    const renyi = whole.by("renyi")!.epsilon(1e-6).upper;
    expect(renyi).toBeGreaterThan(50);
    expect(renyi).toBeLessThan(75);
  });

  it("100 randomized responses cost what they cost listed", () => {
    const json = {
      class_name: "SelfComposedDpEvent",
      count: 100,
      event: { class_name: "RandomizedResponseDpEvent", noise_parameter: 0.5, num_buckets: 2 },
    };
    const whole = account(eventFromDpAccounting(json, "replace-one"), { adjacency: "replace-one" });
    const { lower, upper } = whole.epsilon(1e-6);
    expect(upper).toBeGreaterThan(90);
    expect(upper).toBeLessThan(100);
    expect(lower).toBeGreaterThan(90);
  });

  it("a Poisson sample of a zCDP mechanism is not a sampled Gaussian", () => {
    const whole = account(repeat(poisson({ kind: "zcdp", version: 1, rho: "1/2" }, "1/100"), 100));
    const sampledGaussian = account(repeat(poisson(gaussian(1), "1/100"), 100)).by("renyi")!;
    expect(whole.by("gaussian")).toBeNull();
    expect(whole.epsilon(1e-6).upper).toBeGreaterThan(sampledGaussian.epsilon(1e-6).upper);
    expect(whole.epsilon(1e-6).lower).toBe(0);
  });

  it("Gaussian noise split over a million steps keeps its δ", () => {
    const truth = account(gaussian(1)).delta(7).lower;
    expect(truth).toBeGreaterThan(0);
    const split = account(
      repeat({ kind: "gaussian", version: 1, sigma: "1000", sensitivity: "1" }, 1_000_000),
    );
    expect(split.delta(7).upper).toBeGreaterThanOrEqual(truth);
    expect(split.delta(7).upper).toBeLessThan(truth * 1.001);
  });
});

describe("an account", () => {
  it("grows with ε and T, and falls with σ", () => {
    const at = (noiseMultiplier: number, steps: number) =>
      account(dpSgdEvent({ rate: 0.01, noiseMultiplier, steps }), { accuracy: 1e-3 }).epsilon(1e-5);
    expect(at(1, 200).upper).toBeGreaterThan(at(1, 100).lower);
    expect(at(1, 100).lower).toBeGreaterThan(at(1.2, 100).upper);
    const pure = (epsilon: string) => account({ kind: "pure", version: 1, epsilon }).epsilon(1e-6).upper;
    expect(pure("1/2")).toBeGreaterThan(pure("1/3"));
  });

  it("stays pure where its parts are, to δ = 0", () => {
    const whole = account(
      compose(repeat({ kind: "laplace", version: 1, scale: "10", l1: "1" }, 5), laplace(2)),
    );
    const { upper } = whole.epsilon(0);
    expect(upper).toBeGreaterThanOrEqual(1);
    expect(upper).toBeLessThan(1 + 1e-9);
    expect(account(gaussian(1)).epsilon(0).upper).toBe(Number.POSITIVE_INFINITY);
  });

  it("bears counts of 10^12", () => {
    const whole = account(repeat(gaussian("1e6"), 10n ** 12n));
    expect(whole.epsilon(1e-5).upper).toBeCloseTo(4.37717809568, 6);
    const boxes = account(repeat({ kind: "pure", version: 1, epsilon: "1e-13" }, 10n ** 12n));
    expect(boxes.epsilon(0).upper).toBeCloseTo(0.1, 9);
  });

  it("has an algebra that builds events", () => {
    const one = account(gaussian(2), { accuracy: 1e-3 });
    expect(one.power(4).event).toEqual(repeat(gaussian(2), 4));
    expect(one.power(4n).compose(laplace(3)).event).toEqual(compose(repeat(gaussian(2), 4), laplace(3)));
    expect(one.sample({ kind: "poisson", rate: 0.1 }).event).toEqual(poisson(gaussian(2), "1/10"));
    expect(one.group(3).event).toMatchObject({ kind: "group", size: "3" });
    expect(one.mix([{ weight: "1/4", of: account(laplace(3)) }]).event).toMatchObject({
      parts: [{ weight: "3/4" }, { weight: "1/4", event: laplace(3) }],
    });
    const fixed = account(gaussian(2), { adjacency: "replace-one" }).sample({
      kind: "without-replacement",
      population: 100,
      sample: 10,
    });
    expect(fixed.event).toMatchObject({ population: "100", sample: "10" });
    expect(fixed.adjacency).toBe("replace-one");
    expect(() => one.mix([{ weight: "5/4", of: laplace(3) }])).toThrow(code("parameter.invalid"));
    expect(() => one.power(0)).toThrow(code("parameter.invalid"));
    expect(() => one.power(1.5)).toThrow(code("parameter.invalid"));
    expect(() => one.group(0n)).toThrow(code("parameter.invalid"));
    expect(() => one.sample({ kind: "poisson", rate: Number.NaN })).toThrow(code("parameter.invalid"));
    expect(() => one.sample({ kind: "poisson", rate: 2 })).toThrow(code("parameter.invalid"));
  });

  it("names who says so, along the path", () => {
    const zcdp: Event = { kind: "zcdp", version: 1, rho: "1/2" };
    const { provenance } = account(compose(gaussian(2), zcdp), { representations: ["pld"] }).epsilon(1e-5);
    expect(provenance.upper).toMatch(/pld/);
    expect(provenance.upper).toMatch(/renyi → /);
    expect(account(zcdp).epsilon(1e-5).provenance.lower).toBe("trivial");
  });

  it("refuses, by name, what no representation can prove", () => {
    const fixed = account(everyKind["sample-without-replacement"][0]);
    expect(() => fixed.epsilon(1e-5)).toThrow(
      expect.objectContaining({
        code: "account.unprovable",
        fix: expect.stringContaining("replace-one"),
        fields: expect.objectContaining({ event: "sample-without-replacement" }),
      }),
    );
    expect(() => account(everyKind.shuffle[0]).delta(1)).toThrow(code("account.unprovable"));
    const black = account(poisson({ kind: "zcdp", version: 1, rho: "1" }, "1/2"), {
      representations: ["gaussian", "pure"],
    });
    expect(() => black.tradeoff(0.5)).toThrow(code("account.unprovable"));
    expect(black.by("pure")).toBeNull();
  });

  it.each([
    ["an unknown kind", { kind: "quantum", version: 1 }],
    ["an unknown version", { kind: "constant", version: 2 }],
    ["σ = 0", { kind: "gaussian", version: 1, sigma: "0", sensitivity: "1" }],
    ["a rate above 1", { kind: "poisson-sample", version: 1, rate: "3/2", event: gaussian(1) }],
    ["a count of 0", { kind: "repeat", version: 1, count: "0", event: gaussian(1) }],
    ["a group of 0", { kind: "group", version: 1, size: "0", event: gaussian(1) }],
    ["an empty mix", { kind: "mix", version: 1, parts: [] }],
    ["weights of another sum", { kind: "mix", version: 1, parts: [{ weight: "1/2", event: gaussian(1) }] }],
    [
      "more of a sample than there is",
      { kind: "sample-without-replacement", version: 1, population: "3", sample: "4", event: gaussian(1) },
    ],
    ["a long name", { kind: "pure", version: 1, epsilon: "1", of: "x".repeat(41) }],
    ["a name with blanks", { kind: "pure", version: 1, epsilon: "1", of: "a b" }],
    ["probabilities of another sum", { kind: "finite-pair", version: 1, p: ["1/2"], q: ["1"] }],
    ["NaN", { kind: "pure", version: 1, epsilon: "NaN" }],
    ["an unknown field", { kind: "constant", version: 1, note: "x" }],
    [
      "an unknown law",
      { kind: "repeat-and-select", version: 1, trials: { law: "zipf" }, event: gaussian(1) },
    ],
  ])("refuses %s", (_name, event) => {
    expect(() => account(event as Event)).toThrow(code("parameter.invalid"));
  });

  it("refuses questions and options outside their domain", () => {
    const one = account(gaussian(1));
    for (const delta of [-1, 1, 2, Number.NaN])
      expect(() => one.epsilon(delta)).toThrow(code("parameter.invalid"));
    for (const epsilon of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => one.delta(epsilon)).toThrow(code("parameter.invalid"));
    }
    for (const alpha of [-0.1, 1.1, Number.NaN])
      expect(() => one.tradeoff(alpha)).toThrow(code("parameter.invalid"));
    expect(() => account(gaussian(1), { accuracy: 0 })).toThrow(code("parameter.invalid"));
    expect(() => account(gaussian(1), { representations: ["moments" as RepresentationId] })).toThrow(
      code("parameter.invalid"),
    );
    expect(() => account(gaussian(1), { adjacency: "both" as "replace-one" })).toThrow(
      code("parameter.invalid"),
    );
  });

  it("never answers NaN, however large or small the numbers", () => {
    const extreme = fc.constantFrom("1e-300", "1e-9", "1/3", "7", "1e9", "1e300");
    const leaf = fc.oneof(
      extreme.map((epsilon): Event => ({ kind: "pure", version: 1, epsilon })),
      extreme.map((rho): Event => ({ kind: "zcdp", version: 1, rho })),
      extreme.map((sigma): Event => ({ kind: "gaussian", version: 1, sigma, sensitivity: "1" })),
      extreme.map((scale): Event => ({ kind: "laplace", version: 1, scale, l1: "3" })),
      extreme.map((epsilon): Event => ({ kind: "bounded-range", version: 1, epsilon })),
    );
    const light: readonly RepresentationId[] = ["gaussian", "zcdp", "pure", "approximate"];
    fc.assert(
      fc.property(leaf, fc.constantFrom(1n, 1000n, 10n ** 12n), (event, n) => {
        const whole = account(repeat(event, n), { representations: light });
        const answers = [];
        try {
          answers.push(
            whole.epsilon(1e-6),
            whole.epsilon(0),
            whole.delta(0),
            whole.delta(1),
            whole.tradeoff(0.2),
          );
        } catch (error) {
          expect(error).toEqual(code("account.unprovable"));
        }
        for (const { lower, upper } of answers) {
          expect(lower).toBeGreaterThanOrEqual(0);
          expect(upper).toBeGreaterThanOrEqual(lower);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("cut samples", () => {
  const cut = (limit: string): Event => ({
    kind: "truncated-poisson-sample",
    version: 1,
    rate: "1/100",
    population: "10000",
    limit,
    event: gaussian(2),
  });
  it("cost what whole ones cost, and the chance of a cut", () => {
    const whole = account(repeat(poisson(gaussian(2), "1/100"), 100)).epsilon(1e-5).upper;
    const rare = account(repeat(cut("250"), 100)).epsilon(1e-5).upper;
    expect(rare).toBeGreaterThanOrEqual(whole - 1e-4);
    expect(rare).toBeLessThan(whole + 2e-4);
    const often = account(repeat(cut("150"), 100)).epsilon(1e-5).upper;
    // One sample in 5 million fills the batch: within what the width allows, and far below what a distance of the whole run would say.
    expect(often).toBeGreaterThanOrEqual(whole - 1e-4);
    expect(account(repeat(cut("120"), 100)).epsilon(1e-5).upper).toBeGreaterThan(whole + 1e-3);
    // Nearly every sample is cut: a unit then takes another's place, at the rate of the sample. No distance of the whole run says anything.
    const filled = account(repeat(cut("50"), 100)).epsilon(1e-5).upper;
    const twice = account(repeat(poisson({ ...gaussian(1) }, "1/100"), 100)).epsilon(1e-5);
    expect(filled).toBeGreaterThan(often);
    expect(filled).toBeLessThan(twice.upper + 1e-4);
    const unknown: Event = { ...cut("50"), event: { kind: "zcdp", version: 1, rho: "1/8" } } as Event;
    expect(() => account(repeat(unknown, 100)).epsilon(1e-5)).toThrow(code("account.unprovable"));
  });

  it("are priced at the largest number of units, whoever knows how many there are", () => {
    const run = (population: string, adjacency: AccountOptions = {}) =>
      account(
        repeat(
          {
            kind: "truncated-poisson-sample",
            version: 1,
            ...{ rate: "256/60000", population, limit: "320", event: gaussian(1.1) },
          },
          3515,
        ),
        { accuracy: 1e-3, ...adjacency },
      ).epsilon(1e-5);
    // dp_accounting 0.6, at exactly so many units: 1.1620 and 1.5072.
    const [few, most, over] = [run("30000"), run("60000"), run("62000")];
    expect(few.upper - few.lower).toBeLessThan(2e-3);
    expect(few.upper).toBeLessThan(1.135);
    expect(most.upper).toBeGreaterThan(few.lower);
    expect(most.upper).toBeLessThan(1.1355);
    expect(over.upper).toBeGreaterThan(1.136);
    expect(over.upper).toBeLessThan(1.138);
    // Data sets that never fill the batch lose as much as without a limit.
    expect(most.lower).toBeGreaterThan(0.998 * most.upper);
    expect(over.lower).toBeGreaterThan(0.995 * over.upper);
    expect(most.lower).toBeLessThan(few.upper);
    // Replaced units: telling whether the batch is full would give 1.9398 and 2.0288.
    const replaced = ["60000", "62000"].map((population) => run(population, { adjacency: "replace-one" }));
    expect(replaced[0]!.upper).toBeLessThan(1.93);
    expect(replaced[1]!.upper).toBeLessThan(1.932);
    expect(replaced[1]!.upper).toBeGreaterThan(1.93);
    for (const { lower, upper } of replaced) expect(lower).toBeGreaterThan(0.997 * upper);
  });
});

describe("trees", () => {
  it("are as many Gaussians as a leaf has nodes above it", () => {
    const tree = account(treeAggregationEvent({ noiseMultiplier: 5, steps: 1024 })).epsilon(1e-6).upper;
    expect(tree).toBeCloseTo(account(gaussian(5 / Math.sqrt(11))).epsilon(1e-6).upper, 8);
  });
});

describe("neighbours that differ in more than one unit who comes", () => {
  const step = poisson(gaussian(1.1), "0.01");
  const group = (event: Event, size: number): Event => ({
    kind: "group",
    version: 1,
    size: `${size}`,
    event,
  });
  const at = (event: Event, options?: AccountOptions, delta = 1e-5) => account(event, options).epsilon(delta);

  /** Independent code gave these ε at δ = 1e-5: it rounds the losses of both mixtures to a grid and composes by FFT. The worst case is that all units came. */
  it.each([
    [2, 1.1824],
    [3, 1.8437],
    [5, 3.2222],
    [10, 6.9345],
  ])("a group of %d on samples: ε = %d", (size, epsilon) => {
    const { lower, upper } = at(group(repeat(step, 100), size));
    expect(upper - lower).toBeLessThan(2e-4);
    expect(Math.abs(upper - epsilon)).toBeLessThan(2e-4);
  });

  it("no pure group says all: two, of whom one came and one went, lose more than two who went", () => {
    const whole = account(group(repeat(step, 100), 2));
    const alone = (added: number, removed: number) => {
      const pair = sampledApart(gaussianPair(1 / 1.1), { rate: 0.01, added, removed })!;
      return pldCurve([{ pair: { ...pair, symmetric: true }, count: 100n }], 1e-4);
    };
    const [came, each, went] = [alone(2, 0), alone(1, 1), alone(0, 2)].map((curve) => curve.epsilon(1e-5));
    expect(each!.lower).toBeGreaterThan(went!.upper + 0.1);
    expect(whole.epsilon(1e-5).upper).toBeGreaterThanOrEqual(Math.max(came!.lower, each!.lower, went!.lower));
  });

  it("a unit in another's place on samples: ε = 1.9286, vectors and all", () => {
    const run = repeat(poisson(gaussian(1.1), "0.004267"), 3515);
    const { lower, upper } = at(run, { adjacency: "replace-one" });
    expect(lower).toBeGreaterThan(1.9285);
    expect(upper).toBeLessThan(1.9287);
    // Three in others' places, and three who may do either: never less than what fewer see.
    const few = repeat(step, 100);
    const replaced = at(group(few, 3), { adjacency: "replace-one" });
    expect(replaced.upper - replaced.lower).toBeLessThan(2e-4);
    expect(replaced.lower).toBeGreaterThan(at(group(few, 3)).upper);
    expect(replaced.upper).toBeLessThan(at(group(few, 6)).upper);
  });

  it("integer noise is bounded by its Gaussian: the same ε, without a lower end", () => {
    const rounded = poisson({ kind: "rounded-gaussian", version: 1, sigma: "1.1", l2Squared: "1" }, "0.01");
    const bound = at(group(repeat(rounded, 100), 3));
    expect(bound.upper).toBeGreaterThanOrEqual(1.8436);
    expect(bound.upper).toBeLessThan(1.844);
    expect(bound.lower).toBe(0);
    expect(at(repeat(rounded, 100), { adjacency: "replace-one" }).upper).toBeLessThan(0.745);
  });

  it("beside it, what is not sampled sees the whole group", () => {
    const run = compose(repeat(step, 10), gaussian(20));
    const { lower, upper } = at(group(run, 2));
    expect(upper - lower).toBeLessThan(2e-4);
    const apart = compose(group(repeat(step, 10), 2), { ...gaussian(10) });
    expect(Math.abs(at(apart).upper - upper)).toBeLessThan(2e-4);
  });

  it("groups that may see different members come are not taken for one group", () => {
    const each = repeat(group(step, 2), 100);
    expect(at(each).lower).toBe(0);
    expect(at(each).upper).toBeGreaterThan(at(group(repeat(step, 100), 2)).upper);
  });
});

describe("mixtures of Gaussians", () => {
  const moves = [
    ["0.9", "0"],
    ["0.05", "1"],
    ["0.03", "2"],
    ["0.02", "3"],
  ] as const;
  const mixture: Event = {
    kind: "gaussian-mixture",
    version: 1,
    sigma: "2",
    moves: moves.map(([weight, move]) => ({ weight, move })),
  };

  it("twenty of several moves: dp_accounting 0.6 says 3.8836, in two minutes", () => {
    const { lower, upper } = account(repeat(mixture, 20)).epsilon(1e-5);
    expect(upper - lower).toBeLessThan(2e-4);
    expect(upper).toBeLessThanOrEqual(3.8836);
    expect(lower).toBeGreaterThan(3.883);
  });

  it("one: Σ w·Q((t − m)/σ) − e^ε·Q(t/σ) where the loss is ε, or the mirror of it", () => {
    const lossAt = (x: number): number =>
      Math.log(
        moves.reduce((sum, [w, m]) => sum + Number(w) * Math.exp((Number(m) * (x - Number(m) / 2)) / 4), 0),
      );
    for (const epsilon of [0, 0.05, 0.5, 2]) {
      let [low, high] = [-100, 100];
      for (let i = 0; i < 100; i++) {
        const middle = (low + high) / 2;
        if (lossAt(middle) < epsilon) low = middle;
        else high = middle;
      }
      const came =
        moves.reduce((sum, [w, m]) => sum + Number(w) * ndtr((Number(m) - low) / 2), 0) -
        Math.exp(epsilon) * ndtr(-low / 2);
      const { lower, upper } = account(mixture).delta(epsilon);
      expect(lower).toBeLessThanOrEqual(came * (1 + 1e-12));
      expect(upper).toBeGreaterThanOrEqual(came * (1 - 1e-12));
      expect(upper - lower).toBeLessThan(2e-3 * came);
    }
  });

  it("of replaced units, and of groups", () => {
    const run = repeat(mixture, 5);
    const [one, replaced] = [account(run), account(run, { adjacency: "replace-one" })];
    expect(replaced.epsilon(1e-5).lower).toBeGreaterThan(one.epsilon(1e-5).upper);
    const two = one.group(2).epsilon(1e-5);
    expect(two.upper - two.lower).toBeLessThan(2e-4);
    expect(two.lower).toBeGreaterThan(one.epsilon(1e-5).upper);
    // Both at once is no less than either.
    expect(two.upper).toBeGreaterThanOrEqual(one.group(1).epsilon(1e-5).lower);
    expect(account(poisson(mixture, "1/2")).epsilon(1e-5).upper).toBeLessThan(one.epsilon(1e-5).upper);
  });

  it.each([
    ["weights of another sum", { moves: [{ weight: "0.5", move: "1" }] }],
    ["a negative move", { moves: [{ weight: "1", move: "-1" }] }],
    ["no moves", { moves: [] }],
    ["an unknown field", { moves: [{ weight: "1", move: "1", of: "2" }] }],
    ["no noise", { sigma: "0" }],
  ])("refuses %s", (_what, fault) => {
    expect(() => account({ ...mixture, ...fault } as Event)).toThrow(code("parameter.invalid"));
  });
});

describe("lower ends of what is bounded", () => {
  it("a random allocation in an account has both ends, alone and composed", () => {
    const allocation: Event = {
      kind: "random-allocation",
      version: 1,
      ...{ steps: "100", selected: "1", sigma: "1", sensitivity: "1" },
    };
    const alone = randomAllocation({ steps: 100, selected: 1, sigma: 1, sensitivity: 1 }).epsilon(1e-6);
    const one = account(allocation).epsilon(1e-6);
    expect(one.lower).toBeGreaterThan(0.995 * one.upper);
    expect(one.lower).toBeLessThanOrEqual(alone.upper);
    // The dominated law is below the truth, and the lower end below that.
    expect(account(allocation, { accuracy: 1e-5 }).epsilon(1e-6).lower).toBeLessThanOrEqual(
      alone.lower + 1e-9,
    );
    expect(one.upper).toBeGreaterThanOrEqual(alone.lower);
    const ten = account(repeat(allocation, 10)).epsilon(1e-6);
    expect(ten.lower).toBeGreaterThan(0.98 * ten.upper);
    const both = account(repeat(allocation, 3)).delta(0.5);
    expect(both.lower).toBeGreaterThan(0.9 * both.upper);
    // Of 2 in 100 blocks are revealed: nobody is known to reach that.
    expect(
      account({ ...allocation, selected: "2" } as Event)
        .by("pld")!
        .epsilon(1e-6).lower,
    ).toBe(0);
  });

  it("a sample without replacement reaches what one who is unlike all others shows", () => {
    const sample = (rate: number): Event => ({
      kind: "sample-without-replacement",
      version: 1,
      population: "1000",
      sample: `${1000 * rate}`,
      event: { kind: "gaussian", version: 1, sigma: "1.1", sensitivity: "2" },
    });
    const options = { adjacency: "replace-one" } as const;
    for (const rate of [0.01, 0.2]) {
      const mu = 2 / 1.1;
      // All others at −1 and the one at +1: (1 − r)·N(0) + r·N(μ) against N(0), of which the best test is a threshold t.
      const reached = (t: number, epsilon: number): number =>
        rate * ndtr(mu - t) + (1 - rate) * ndtr(-t) - Math.exp(epsilon) * ndtr(-t);
      for (const epsilon of [0, 0.1, 1]) {
        const t = Math.log1p(Math.expm1(epsilon) / rate) / mu + mu / 2;
        const { lower, upper } = account(sample(rate), options).delta(epsilon);
        expect(lower).toBeLessThanOrEqual(reached(t, epsilon) * (1 + 1e-11));
        expect(upper).toBeGreaterThanOrEqual(reached(t, epsilon) * (1 - 1e-11));
        if (epsilon === 0) continue;
        const back = account(sample(rate), options).epsilon(reached(t, epsilon));
        expect(back.lower).toBeLessThanOrEqual(epsilon + 1e-9);
        expect(back.lower).toBeGreaterThan(0.99 * epsilon);
      }
    }
    const ten = account(repeat(sample(0.01), 10), options).epsilon(1e-5);
    expect(ten.lower).toBeGreaterThan(0.98 * ten.upper);
    // Of a claim alone nobody is known to reach it.
    const claim = {
      ...sample(0.01),
      event: { kind: "rounded-gaussian", version: 1, sigma: "90", l2Squared: "1" },
    };
    expect(account(claim as Event, options).delta(0).lower).toBe(0);
  });
});
