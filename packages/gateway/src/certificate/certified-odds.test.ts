import { type Event, lossFromJson } from "@lethe/core";
import { lossOdds, odds } from "@lethe/core/accounting";
import { describe, expect, it } from "vitest";
import { certifiedOdds } from "./certified-odds.ts";

const charged = lossFromJson({ measure: "approximate", epsilon: "7", delta: "1/100000" });
const gaussian: Event = { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" };
const laplace: Event = { kind: "laplace", version: 1, scale: "4", l1: "1" };
const zcdp: Event = { kind: "zcdp", version: 1, rho: "1/50" };
const sample = (event: Event): Event => ({ kind: "poisson-sample", version: 1, rate: "1/10", event });
const repeat = (event: Event): Event => ({ kind: "repeat", version: 1, count: "3", event });
const compose = (...events: readonly Event[]): Event => ({ kind: "compose", version: 1, events });

describe("the odds that a certificate states", () => {
  it.each<Event>([
    gaussian,
    laplace,
    { kind: "rounded-gaussian", version: 1, sigma: "5", l2Squared: "1" },
    { kind: "discrete-gaussian", version: 1, sigmaSquared: "25", l2Squared: "1" },
    { kind: "pure", version: 1, epsilon: "1/4" },
    { kind: "approximate", version: 1, epsilon: "1/4", delta: "1/1000000" },
    { kind: "finite-pair", version: 1, p: ["1/3", "2/3"], q: ["2/3", "1/3"] },
    compose(repeat(laplace), gaussian),
    repeat(sample(gaussian)),
  ])("are those of mechanisms that the verifier knows: %j", (event) => {
    const own = odds(event, "add-or-remove-one");
    expect(certifiedOdds(event, "add-or-remove-one", charged)).toEqual(own);
    expect(own.advantage).toBeLessThan(lossOdds(charged).advantage);
  });

  it.each<readonly [Event, "add-or-remove-one" | "replace-one"]>([
    [zcdp, "add-or-remove-one"],
    [{ kind: "bounded-range", version: 1, epsilon: "1/2" }, "add-or-remove-one"],
    [{ kind: "discrete-gaussian", version: 1, sigmaSquared: "25", l2Squared: "3" }, "add-or-remove-one"],
    [repeat(sample(gaussian)), "replace-one"],
    [sample(repeat(gaussian)), "add-or-remove-one"],
    [compose(gaussian, zcdp), "replace-one"],
  ])("are those of the charge where the verifier has no pair: %j %s", (event, adjacency) => {
    expect(certifiedOdds(event, adjacency, charged)).toEqual(lossOdds(charged));
  });
});
