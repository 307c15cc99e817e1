import { describe, expect, it } from "vitest";
import type { Event } from "../events/event.ts";
import { maxEventDepth } from "../events/event-json.ts";
import { one, parseRational, ratio, zero } from "../numeric/rational.ts";
import { price } from "../price.ts";
import type { PriceTarget } from "./price-events.ts";

const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const laplace: Event = { kind: "laplace", version: 1, scale: "2", l1: "1" };
const gaussian: Event = { kind: "rounded-gaussian", version: 1, sigma: "2", l2Squared: "1" };
const pure: PriceTarget = { measure: "pure" };
const targets: readonly PriceTarget[] = [pure, { measure: "zcdp" }, { measure: "approximate", delta: zero }];

describe("an exact price", () => {
  it.each<readonly [string, object]>([
    ["poisson-sample", { rate: "1/2" }],
    ["truncated-poisson-sample", { rate: "1/2", population: "9", limit: "3" }],
    ["sample-without-replacement", { population: "9", sample: "3" }],
    ["group", { size: "2" }],
    ["repeat-and-select", { trials: { law: "poisson", mean: "3" } }],
    ["mix", { parts: [{ weight: "1", event: laplace }] }],
  ])("is not charged for %s, which the calculators price", (kind, fields) => {
    const event = { kind, version: 1, ...fields, ...(kind === "mix" ? {} : { event: laplace }) } as Event;
    for (const target of targets) {
      expect(() => price(event, target)).toThrow(
        expect.objectContaining({
          code: "query.missing-delta",
          fields: { kind, measure: target.measure === "approximate" ? "mixed" : target.measure },
        }),
      );
    }
  });

  it("says which noise has none under which measure, and what to do", () => {
    expect(() => price(gaussian, pure)).toThrow(
      expect.objectContaining({
        code: "query.missing-delta",
        message: "rounded-gaussian has no finite price under pure DP",
        fix: "use Laplace noise and public groups, or keep the account in approximate DP or zCDP",
        fields: { kind: "rounded-gaussian", measure: "pure" },
      }),
    );
  });

  it("is charged of noise without a δ at δ = 0, and at no δ outside [0, 1)", () => {
    const at = (delta: string): unknown =>
      price(laplace, { measure: "approximate", delta: parseRational(delta) });
    expect(at("0")).toEqual({ measure: "approximate", epsilon: ratio(1n, 2n), delta: zero });
    expect(at("0.999999")).toEqual({ measure: "approximate", epsilon: ratio(1n, 2n), delta: zero });
    for (const delta of ["1", "-1/1000000000", "2"]) expect(() => at(delta), delta).toThrow(invalid("delta"));
  });

  it("is charged of nothing as nothing, and of one run as one", () => {
    const nothing: Event = { kind: "compose", version: 1, events: [] };
    expect(price(nothing, pure)).toEqual({ measure: "pure", epsilon: zero });
    expect(price({ kind: "repeat", version: 1, count: "1", event: laplace }, pure)).toEqual(
      price(laplace, pure),
    );
    expect(price({ kind: "repeat", version: 1, count: "4", event: laplace }, pure)).toEqual({
      ...{ measure: "pure", epsilon: ratio(2n) },
    });
    expect(price({ ...laplace, l1: "2" }, pure)).toEqual({ measure: "pure", epsilon: one });
    for (const count of ["0", "-1", "1/2"])
      expect(() => price({ kind: "repeat", version: 1, count, event: laplace }, pure)).toThrow(
        invalid("count"),
      );
  });

  it("follows a tree as deep as an event may be, and no deeper", () => {
    const nested = (depth: number): Event =>
      depth === 1 ? laplace : { kind: "compose", version: 1, events: [nested(depth - 1)] };
    expect(price(nested(maxEventDepth), pure)).toEqual(price(laplace, pure));
    expect(() => price(nested(maxEventDepth + 1), pure)).toThrow(invalid("event depth"));
    const repeated = (depth: number): Event =>
      depth === 1 ? laplace : { kind: "repeat", version: 1, count: "1", event: repeated(depth - 1) };
    expect(price(repeated(maxEventDepth), pure)).toEqual(price(laplace, pure));
    expect(() => price(repeated(maxEventDepth + 1), pure)).toThrow(invalid("event depth"));
  });

  it("is asked in a known measure", () => {
    for (const measure of ["renyi", "toString", "mixed"])
      expect(() => price(laplace, { measure } as never)).toThrow(
        "measure must be one of pure, zcdp, approximate",
      );
  });
});
