import { describe, expect, it } from "vitest";
import { account } from "../account.ts";
import type { Event } from "../events/event.ts";
import type { RepresentationId } from "../losses/loss-algebra.ts";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import { truncatedCurve } from "./truncated-curve.ts";
import { truncation } from "./truncation.ts";

const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const gaussian: Event = { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" };
const pure: Event = { kind: "pure", version: 1, epsilon: "1" };
const zcdp: Event = { kind: "zcdp", version: 1, rho: "1/2" };
const shuffle: Event = { kind: "shuffle", version: 1, reports: "9", epsilon: "1" };
const compose = (...events: readonly Event[]): Event => ({ kind: "compose", version: 1, events });
const drawn = (event: Event): Event => ({
  ...{ kind: "sample-without-replacement", version: 1, population: "9", sample: "3", event },
});
const cut = (event: Event): Event => ({
  ...{ kind: "truncated-poisson-sample", version: 1, rate: "1/2", population: "9", limit: "3", event },
});
const best = (event: Event): Event => ({
  ...{ kind: "repeat-and-select", version: 1, trials: { law: "poisson", mean: "3" }, event },
});
const allocated: Event = {
  ...{ kind: "random-allocation", version: 1, steps: "9", selected: "3", sigma: "2", sensitivity: "1" },
};

describe("an account that no representation can prove", () => {
  const advised = {
    "sample-without-replacement": 'account it under { adjacency: "replace-one" }, or sample by Poisson',
    shuffle: 'account it under { adjacency: "replace-one" }, and ask pld',
    "random-allocation": "ask pld; or account for the steps as poisson-sample at rate selected/steps",
    "repeat-and-select":
      "give it an event whose Rényi divergences or dominating pair are known, and ask pld or renyi",
    "truncated-poisson-sample":
      "raise the limit until a larger sample is unlikely, or keep the population below 2^53",
    zcdp: "ask renyi or zcdp: of a zCDP claim nothing more is known",
  };
  const more = "ask more representations, or account for its parts one by one";
  it.each<
    readonly [string, Event, Adjacency, readonly RepresentationId[], keyof typeof advised | string, string]
  >([
    [
      "a drawn sample",
      drawn(gaussian),
      "add-or-remove-one",
      ["pure", "pld"],
      "sample-without-replacement",
      "",
    ],
    ["a shuffle", shuffle, "add-or-remove-one", ["pld"], "shuffle", ""],
    ["an allocation", allocated, "replace-one", ["pld"], "random-allocation", ""],
    ["a best outcome", best(zcdp), "add-or-remove-one", ["pure"], "repeat-and-select", ""],
    ["a cut sample", cut(pure), "add-or-remove-one", ["zcdp"], "truncated-poisson-sample", ""],
    ["a zCDP claim", zcdp, "add-or-remove-one", ["pure"], "zcdp", ""],
    ["a Gaussian", gaussian, "add-or-remove-one", ["pure"], "gaussian", more],
    // What is told of is what stands in the way, wherever it is.
    ["a part of a composition", compose(pure, shuffle), "add-or-remove-one", ["pure"], "shuffle", ""],
    [
      "the part of a repetition",
      { kind: "repeat", version: 1, count: "3", event: compose(pure, zcdp) },
      ...(["add-or-remove-one", ["pure"], "zcdp", ""] as const),
    ],
    [
      "a part of a mixture",
      {
        kind: "mix",
        version: 1,
        parts: [
          { weight: "1/2", event: pure },
          { weight: "1/2", event: zcdp },
        ],
      },
      ...(["add-or-remove-one", ["pure"], "zcdp", ""] as const),
    ],
    ["the inside of a drawn sample", drawn(zcdp), "replace-one", ["pure"], "zcdp", ""],
    ["two Gaussians", compose(gaussian, gaussian), "add-or-remove-one", ["pure"], "compose", more],
    // Under replace-one there is no more to say of a shuffle or a drawn sample than of others.
    ["a drawn Gaussian", drawn(gaussian), "replace-one", ["pure"], "sample-without-replacement", more],
    ["a shuffle under replace-one", shuffle, "replace-one", ["gaussian"], "shuffle", more],
  ])(
    "says what stands in the way, and what to do: %s",
    (_name, event, adjacency, representations, kind, fix) => {
      const whole = account(event, { adjacency, representations });
      for (const ask of [() => whole.epsilon(1e-3), () => whole.delta(1), () => whole.tradeoff(0.5)]) {
        expect(ask).toThrow(
          expect.objectContaining({
            code: "account.unprovable",
            message: `no theorem bounds the loss of ${kind} under ${adjacency} by ${representations.join(", ")}`,
            fix: fix || advised[kind as keyof typeof advised],
            fields: { event: kind, adjacency, representations: representations.join(",") },
          }),
        );
      }
    },
  );
});

describe("an account's options", () => {
  it("are taken to both ends of their domains", () => {
    for (const accuracy of [1e-12, 1]) expect(() => account(gaussian, { accuracy })).not.toThrow();
    for (const accuracy of [0, 9e-13, 1 + 2 ** -52, -1, Number.NaN])
      expect(() => account(gaussian, { accuracy }), `${accuracy}`).toThrow(invalid("accuracy"));
    for (const adjacency of ["both", null])
      expect(() => account(gaussian, { adjacency: adjacency as never })).toThrow(invalid("adjacency"));
    expect(() => account(gaussian, { representations: ["pure", "moments" as RepresentationId] })).toThrow(
      "representation must be one of gaussian, pld, renyi, approximate, pure, zcdp",
    );
    expect(() => account(gaussian).by("moments" as RepresentationId)).toThrow(invalid("representation"));
    expect(account(gaussian).adjacency).toBe("add-or-remove-one");
  });

  it("say who is asked: others are not heard, but may be asked by name", () => {
    const whole = account(pure, { representations: ["zcdp"] });
    expect(whole.epsilon(1e-3).provenance.upper).toMatch(/^zcdp/);
    expect(whole.by("pure")!.epsilon(0).upper).toBe(1);
    expect(whole.by("gaussian")).toBeNull();
    expect(whole.by("pure")).toBe(whole.by("pure"));
    // The first that is narrow enough is the last that is asked.
    expect(account(pure, { representations: ["approximate", "pure"] }).delta(0).provenance.upper).toMatch(
      /^approximate/,
    );
    expect(account(pure, { representations: ["pure", "approximate"] }).delta(0).provenance.upper).toMatch(
      /^pure/,
    );
  });

  it("go on to the accounts that are made of it", () => {
    const whole = account(pure, { adjacency: "replace-one", representations: ["pure"] });
    for (const made of [whole.compose(), whole.power(2), whole.group(2), whole.mix([])]) {
      expect(made.adjacency).toBe("replace-one");
      expect(made.delta(0).provenance.upper).toMatch(/^pure/);
    }
  });
});

describe("the algebra of accounts", () => {
  const whole = account(gaussian, { representations: ["gaussian"] });
  it("builds the events that it says", () => {
    expect(whole.event).toEqual(gaussian);
    expect(whole.compose(pure, account(zcdp), gaussian).event).toEqual(
      compose(gaussian, pure, zcdp, gaussian),
    );
    expect(whole.compose().event).toEqual(compose(gaussian));
    expect(whole.power(3).event).toEqual({ kind: "repeat", version: 1, count: "3", event: gaussian });
    expect(whole.power(2n ** 70n).event).toMatchObject({ count: (2n ** 70n).toString() });
    expect(whole.group(2n).event).toEqual({ kind: "group", version: 1, size: "2", event: gaussian });
    expect(whole.sample({ kind: "poisson", rate: 0.25 }).event).toEqual({
      ...{ kind: "poisson-sample", version: 1, rate: "1/4", event: gaussian },
    });
    expect(whole.sample({ kind: "without-replacement", population: 9, sample: 3 }).event).toEqual(
      drawn(gaussian),
    );
    expect(whole.sample({ kind: "truncated-poisson", rate: 0.5, population: 9, limit: 3 }).event).toEqual(
      cut(gaussian),
    );
    expect(
      whole.mix([
        { weight: 0.25, of: pure },
        { weight: "1/3", of: account(zcdp) },
      ]).event,
    ).toEqual({
      kind: "mix",
      version: 1,
      parts: [
        { weight: "5/12", event: gaussian },
        { weight: "1/4", event: pure },
        { weight: "1/3", event: zcdp },
      ],
    });
  });

  it("names a number that is none", () => {
    for (const n of [1.5, Number.NaN, 2 ** 53]) {
      expect(() => whole.power(n)).toThrow(invalid("count"));
      expect(() => whole.group(n)).toThrow(invalid("size"));
      expect(() => whole.sample({ kind: "without-replacement", population: n, sample: 1 })).toThrow(
        invalid("population"),
      );
      expect(() => whole.sample({ kind: "without-replacement", population: 9, sample: n })).toThrow(
        invalid("sample"),
      );
      const scheme = { kind: "truncated-poisson", rate: 0.5, population: 9, limit: 3 } as const;
      expect(() => whole.sample({ ...scheme, population: n })).toThrow(invalid("population"));
      expect(() => whole.sample({ ...scheme, limit: n })).toThrow(invalid("limit"));
    }
    expect(() => whole.sample({ kind: "poisson", rate: Number.NaN })).toThrow(invalid("rate"));
    expect(() => whole.mix([{ weight: Number.NaN, of: pure }])).toThrow(invalid("weight"));
    expect(() => whole.mix([{ weight: "x", of: pure }])).toThrow(invalid("weight"));
    expect(() => whole.mix([{ weight: 1.25, of: pure }])).toThrow(invalid("weight"));
  });
});

describe("a cut sample in an account", () => {
  it("is priced in its step where a representation can, else as a distance of the whole run", () => {
    const event = { ...cut(gaussian), limit: "8" } as Event;
    const whole = account(event);
    const loose = truncation(event);
    expect(loose).toBeGreaterThan(0);
    const left = account({
      ...{ kind: "poisson-sample", version: 1, rate: "1/2" },
      event: gaussian,
    } as Event);
    // Rényi has no word of its own for the cut.
    const due = truncatedCurve(left.by("renyi")!, loose);
    expect(whole.by("renyi")!.delta(1).upper).toBe(due.delta(1).upper);
    expect(whole.by("renyi")!.delta(1).upper).toBeGreaterThan(left.by("renyi")!.delta(1).upper);
    // What nobody cuts is the sample itself.
    const uncut = account({ ...cut(gaussian), limit: "9" } as Event);
    expect(uncut.by("renyi")!.delta(1).upper).toBe(left.by("renyi")!.delta(1).upper);
    // Where nearly every run is cut the distance says nothing.
    expect(account(compose(...Array.from({ length: 400 }, () => cut(gaussian)))).by("renyi")).toBeNull();
  });
});
