import { describe, expect, it } from "vitest";
import { invalidParameter } from "../errors/lethe-error.ts";
import type { Event } from "../events/event.ts";
import { eventFromJson } from "../events/event-json.ts";
import type { LossAlgebra, RepresentationId } from "../losses/loss-algebra.ts";
import type { AnyRepresentation, LossRepresentation } from "../losses/loss-representation.ts";
import { proveLosses } from "../mechanisms/registry.ts";
import { foldRepresentations } from "./fold-representations.ts";
import { sharedEvents } from "./shared-events.ts";

/** A representation whose losses are the texts of how they came about. */
function writing(
  id: RepresentationId,
  can: { group?: boolean; mix?: boolean; sample?: (loss: string) => boolean },
): LossAlgebra<string> {
  return {
    id,
    none: "0",
    compose: (losses) => `(${losses.join("+")})`,
    power: (loss, n) => `${loss}^${n}`,
    group: (loss, k) => (can.group ? `group${k}(${loss})` : null),
    mix: (parts) => (can.mix ? parts.map(({ weight, loss }) => `${weight}·${loss}`).join("|") : null),
    sample: (loss, scheme, adjacency) => (can.sample?.(loss) ? `${scheme.kind}/${adjacency}(${loss})` : null),
    curve: () => {
      throw new Error("not asked");
    },
  };
}

const pure: LossRepresentation<string> = {
  algebra: writing("pure", { group: true, sample: () => true }),
  leaf: (losses) => (losses.pure ? `ε${losses.pure.epsilon.num}/${losses.pure.epsilon.den}` : null),
  from: [],
};
const gaussian: LossRepresentation<string> = {
  algebra: { ...writing("gaussian", {}), power: (loss, n) => `${loss}${n}` },
  leaf: (losses) => (losses.mixed && losses.mixed.muSquared.num > 0n ? "μ" : null),
  from: [],
};
const renyi: LossRepresentation<string> = {
  algebra: writing("renyi", { sample: () => true }),
  leaf: (losses) => (losses.zcdp && losses.pure === null ? "ρ" : null),
  select: (loss, trials) => `best-of-${trials.law}(${loss})`,
  from: [
    { from: "pure", direction: "exact", theorem: "RR", convert: (loss) => `RR[${loss}]` },
    { from: "gaussian", direction: "exact", theorem: "Mironov", convert: (loss) => `G[${loss}]` },
  ],
};
const pld: LossRepresentation<string> = {
  // Can sample one pair alone, like the real one.
  algebra: writing("pld", { sample: (loss) => !loss.includes("^") && !loss.includes("+") }),
  leaf: (_losses, kind) => (kind === "gaussian" || kind === "continuous-laplace" ? `pair-${kind}` : null),
  special: { shuffle: (_event, adjacency) => (adjacency === "replace-one" ? "shuffle" : null) },
  from: [
    { from: "gaussian", direction: "exact", theorem: "GDP", convert: (loss) => `pair[${loss}]` },
    { from: "renyi", direction: "upper", theorem: "CKS", late: true, convert: (loss) => `profile[${loss}]` },
  ],
};

const representations: readonly AnyRepresentation[] = [pure, gaussian, renyi, pld];
const fold = (
  json: unknown,
  id: RepresentationId,
  adjacency: "add-or-remove-one" | "replace-one" = "add-or-remove-one",
) => foldRepresentations(representations, proveLosses, adjacency)(sharedEvents(eventFromJson(json)), id);

const noise = { kind: "gaussian", version: 1, sigma: "1", sensitivity: "1" };
const box = { kind: "pure", version: 1, epsilon: "1/2" };
const black = { kind: "zcdp", version: 1, rho: "1/2" };
const compose = (...events: unknown[]) => ({ kind: "compose", version: 1, events });
const repeat = (event: unknown, count: string) => ({ kind: "repeat", version: 1, count, event });
const poisson = (event: unknown) => ({ kind: "poisson-sample", version: 1, rate: "1/2", event });

describe("the fold", () => {
  it("uses power, never a loop", () => {
    expect(fold(repeat(noise, "1000000000000"), "pld")?.loss).toBe("pair-gaussian^1000000000000");
    expect(fold(repeat(repeat(box, "7"), "1000000000"), "pure")?.loss).toBe("ε1/2^7^1000000000");
  });

  it("takes the representation's own word first, then an exact arrow, and writes down the path", () => {
    expect(fold(noise, "pld")).toEqual({ loss: "pair-gaussian", via: new Set() });
    expect(fold(box, "renyi")).toEqual({ loss: "RR[ε1/2]", via: new Set(["pure → RR"]) });
    expect(fold(compose(box, black), "renyi")?.loss).toBe("(RR[ε1/2]+ρ)");
  });

  it("converts what needs a late arrow together, after it was composed elsewhere", () => {
    expect(fold(compose(noise, black, repeat(black, "5")), "pld")).toEqual({
      loss: "(pair-gaussian+profile[ρ^6])",
      via: new Set(["renyi → CKS"]),
    });
    expect(fold(compose(noise, repeat(black, "9")), "pld")?.loss).toBe("(pair-gaussian+profile[ρ^9])");
    // Nested compositions and repetitions are taken apart first.
    expect(fold(repeat(compose(noise, compose(black, noise)), "3"), "pld")?.loss).toBe(
      "(pair-gaussian^6+profile[ρ^3])",
    );
    // Alone, it would only say again what its source says.
    expect(fold(repeat(black, "9"), "pld")).toBeNull();
  });

  it("converts inside an operation where the operation has a theorem for the converted representation alone", () => {
    // Two Gaussians composed are one pair by the exact arrow; the composed pairs are not.
    expect(fold(poisson(repeat(noise, "4")), "pld")).toEqual({
      loss: "poisson/add-or-remove-one(pair[μ4])",
      via: new Set(["gaussian → GDP"]),
    });
  });

  it("reads what is sampled under the adjacency of the sample, and the sample under the account's", () => {
    expect(fold(poisson(box), "pure", "replace-one")?.loss).toBe("poisson/replace-one(ε1/2)");
    const fixed = {
      kind: "sample-without-replacement",
      version: 1,
      population: "10",
      sample: "5",
      event: box,
    };
    expect(fold(fixed, "pure", "replace-one")?.loss).toBe("without-replacement/replace-one(ε1/2)");
    expect(fold(fixed, "pure")).toBeNull();
    // Inside a Poisson sample units come and go, so nothing is known of a sample of fixed size there.
    expect(fold(poisson(fixed), "pure", "replace-one")).toBeNull();
    const shuffle = { kind: "shuffle", version: 1, reports: "100", epsilon: "1" };
    expect(fold(shuffle, "pld")).toBeNull();
    expect(fold(shuffle, "pld", "replace-one")?.loss).toBe("shuffle");
  });

  it("never takes a zCDP claim for a Gaussian inside a sample", () => {
    expect(fold(poisson(black), "gaussian")).toBeNull();
    expect(fold(compose(noise, poisson(black)), "pld")?.loss).toBe(
      "(pair-gaussian+profile[poisson/add-or-remove-one(ρ)])",
    );
  });

  it("is null where no theorem reaches", () => {
    const mix = { kind: "mix", version: 1, parts: [{ weight: "1", event: noise }] };
    expect(fold(mix, "renyi")).toBeNull();
    expect(fold(box, "gaussian")).toBeNull();
    expect(fold(box, "zcdp")).toBeNull();
    const best = {
      kind: "repeat-and-select",
      version: 1,
      trials: { law: "poisson", mean: "5" },
      event: black,
    };
    expect(fold(best, "renyi")?.loss).toBe("best-of-poisson(ρ)");
    expect(fold(best, "pure")).toBeNull();
    expect(fold({ kind: "group", version: 1, size: "3", event: box }, "pure")?.loss).toBe("group3(ε1/2)");
  });

  it("counts equal parts of a composition instead of listing them", () => {
    const many = compose(...Array.from({ length: 500 }, () => noise), box, box);
    expect(fold(many, "pure")).toBeNull();
    expect(fold(compose(box, box, box), "pure")?.loss).toBe("ε1/2^3");
    expect(fold(compose(box, repeat(box, "2"), box), "pure")?.loss).toBe("(ε1/2^2+ε1/2^2)");
  });

  it("asks for the word of an event once a path, however often it stands in the tree or is asked for", () => {
    const asked: string[] = [];
    const counting: readonly AnyRepresentation[] = representations.map((representation) => ({
      ...representation,
      leaf: (losses, kind) => {
        asked.push(`${representation.algebra.id} ${kind}`);
        return representation.leaf(losses, kind);
      },
    }));
    const event = sharedEvents(
      eventFromJson(compose(noise, repeat(noise, "3"), poisson(noise), black, repeat(black, "2"))),
    );
    const again = foldRepresentations(counting, proveLosses, "add-or-remove-one");
    const first = again(event, "pld");
    // Twice where a node is asked for both without late arrows and by any path.
    const due = [
      ...["gaussian gaussian", "gaussian gaussian", "gaussian zcdp", "gaussian zcdp"],
      ...["pld gaussian", "pld gaussian", "pld zcdp", "renyi zcdp"],
    ];
    expect(asked.toSorted()).toEqual(due);
    const second = again(event, "pld");
    expect(second).toEqual(first);
    expect(asked.length).toBe(due.length);
  });

  it("remembers by adjacency: a sample's part is read under its own", () => {
    const fixed = { kind: "sample-without-replacement", version: 1, population: "10", sample: "5" };
    const both = compose({ ...fixed, event: box }, poisson(box));
    expect(fold(both, "pure", "replace-one")?.loss).toBe(
      "(without-replacement/replace-one(ε1/2)+poisson/replace-one(ε1/2))",
    );
    const shuffle = { kind: "shuffle", version: 1, reports: "100", epsilon: "1" };
    expect(fold(compose(shuffle, poisson(shuffle)), "pld", "replace-one")).toBeNull();
    expect(fold(compose(shuffle, shuffle), "pld", "replace-one")?.loss).toBe("shuffle^2");
  });

  it("of nothing is nothing", () => {
    expect(fold(compose(), "pld")?.loss).toBe("0");
  });

  it("refuses a kind that it does not know", () => {
    const unknown = { kind: "quantum", version: 1 } as unknown as Event;
    expect(() => foldRepresentations(representations, proveLosses, "replace-one")(unknown, "pure")).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});

describe("what the fold hands to a representation", () => {
  const asked: unknown[] = [];
  /** Writes down what its operations are given; every loss is 1. */
  const noting: LossRepresentation<number> = {
    algebra: {
      id: "pure",
      none: 0,
      compose: (losses) => losses.reduce((a, b) => a + b, 0),
      power: (loss, n) => loss * Number(n),
      group: (loss, k) => asked.push({ group: k }) && loss,
      mix: (parts) => asked.push({ mix: parts.map(({ weight }) => weight) }),
      sample: (loss, scheme, adjacency) => asked.push({ ...scheme, adjacency }) && loss,
      curve: () => {
        throw new Error("not asked");
      },
    },
    leaf: () => 1,
    from: [],
  };
  const given = (
    event: unknown,
    adjacency: "add-or-remove-one" | "replace-one" = "add-or-remove-one",
    cuts: "at-the-root" | "in-place" = "at-the-root",
    representation: LossRepresentation<number> = noting,
  ): readonly unknown[] => {
    asked.length = 0;
    const whole = sharedEvents(eventFromJson(event));
    const found = foldRepresentations(
      [representation as AnyRepresentation],
      proveLosses,
      adjacency,
      cuts,
    )(whole, "pure");
    return [found?.loss ?? null, ...asked];
  };

  it("is a rate that is never too small, with what it leaves of 1 in its own digits", () => {
    const [, third] = given({ kind: "poisson-sample", version: 1, rate: "1/3", event: box });
    const { rate, keep } = third as { rate: number; keep: number };
    expect(third).toMatchObject({ kind: "poisson", adjacency: "add-or-remove-one" });
    expect(3 * rate).toBeGreaterThanOrEqual(1);
    expect([rate, keep]).toEqual([expect.closeTo(1 / 3, 15), expect.closeTo(2 / 3, 15)]);
    const nearly = given({ kind: "poisson-sample", version: 1, rate: "0.99999999999999999999", event: box });
    expect(nearly[1]).toMatchObject({ rate: 1, keep: expect.closeTo(1e-20, 33) });
  });

  it("is a cut sample where cuts are priced in place, and the whole one where they are a distance", () => {
    const cut = { kind: "truncated-poisson-sample", version: 1, rate: "1/2", population: "9", limit: "3" };
    expect(given({ ...cut, event: box })[1]).toEqual({
      ...{ kind: "poisson", rate: 0.5, keep: 0.5, adjacency: "add-or-remove-one" },
    });
    expect(given({ ...cut, event: box }, "replace-one", "in-place")[1]).toEqual({
      ...{
        kind: "truncated-poisson",
        rate: 0.5,
        keep: 0.5,
        population: 9,
        limit: 3,
        adjacency: "replace-one",
      },
    });
  });

  it("is a drawn sample whose population is public, and that doubles count", () => {
    const drawn = (population: string): unknown => ({
      ...{ kind: "sample-without-replacement", version: 1, population, sample: "3", event: box },
    });
    expect(given(drawn("9"), "replace-one")).toEqual([
      1,
      { kind: "without-replacement", population: 9, sample: 3, adjacency: "replace-one" },
    ]);
    expect(given(drawn("9"))).toEqual([null]);
    expect(given(drawn((2n ** 53n - 1n).toString()), "replace-one")).toHaveLength(2);
    expect(given(drawn((2n ** 53n).toString()), "replace-one")).toEqual([null]);
  });

  it("is a group's size, and the weights of a mixture from above", () => {
    expect(given({ kind: "group", version: 1, size: "7", event: box })).toEqual([1, { group: 7n }]);
    const parts = ["1/3", "2/3"].map((weight) => ({ weight, event: box }));
    const [, mixed] = given({ kind: "mix", version: 1, parts });
    const [first, second] = (mixed as { mix: readonly number[] }).mix;
    expect(3 * first!).toBeGreaterThanOrEqual(1);
    expect(first! + second!).toBeGreaterThanOrEqual(1);
  });

  it("is a count for equal parts, and for runs of runs", () => {
    expect(given(compose(box, noise, box, box))).toEqual([4]);
    expect(given(repeat(repeat(box, "3"), "5"))).toEqual([15]);
    expect(given(compose())).toEqual([0]);
  });

  it("may be refused: then the next way is taken, or none", () => {
    const refusing = (): never => {
      throw invalidParameter("loss", 1, "another");
    };
    expect(given(box, "replace-one", "in-place", { ...noting, leaf: refusing })).toEqual([null]);
    const special = { pure: refusing };
    expect(given(box, "replace-one", "in-place", { ...noting, special })).toEqual([1]);
    const known = { pure: () => 7 };
    expect(given(box, "replace-one", "in-place", { ...noting, special: known })).toEqual([7]);
    const broken = (): never => {
      throw new RangeError("broken");
    };
    expect(() => given(box, "replace-one", "in-place", { ...noting, leaf: broken })).toThrow(RangeError);
    const none = { ...noting, algebra: { ...noting.algebra, power: refusing, compose: refusing } };
    expect(given(repeat(box, "2"), "replace-one", "in-place", none)).toEqual([null]);
    expect(given(repeat(box, "1"), "replace-one", "in-place", none)).toEqual([1]);
    expect(given(compose(box, noise), "replace-one", "in-place", none)).toEqual([null]);
    expect(given(compose(box), "replace-one", "in-place", none)).toEqual([1]);
    const best = {
      ...{ kind: "repeat-and-select", version: 1, trials: { law: "poisson", mean: "3" }, event: box },
    };
    expect(given(best)).toEqual([null]);
    expect(given(best, "replace-one", "in-place", { ...noting, select: (loss) => loss + 1 })).toEqual([2]);
  });

  it("is not asked of a representation that another says all of, or that is not there", () => {
    expect(given(box, "replace-one", "in-place", { ...noting, redundant: () => true })).toEqual([null]);
    expect(given(box, "replace-one", "in-place", { ...noting, redundant: () => false })).toEqual([1]);
    const folded = foldRepresentations([noting as AnyRepresentation], proveLosses, "replace-one");
    expect(folded(eventFromJson(box), "zcdp")).toBeNull();
  });
});
