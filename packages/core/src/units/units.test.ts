import { describe, expect, it } from "vitest";
import { delta, epsilon, rho, sigma } from "./units.ts";

const guards = { epsilon, delta, rho, sigma };
const refused: Record<keyof typeof guards, readonly number[]> = {
  epsilon: [Number.NaN, -1e-300, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  delta: [Number.NaN, -1e-300, 1, 2, Number.POSITIVE_INFINITY],
  rho: [Number.NaN, -1e-300, Number.POSITIVE_INFINITY],
  sigma: [Number.NaN, 0, -1, Number.POSITIVE_INFINITY],
};
const [tiny, huge] = [Number.MIN_VALUE, Number.MAX_VALUE];
const taken: Record<keyof typeof guards, readonly number[]> = {
  epsilon: [0, tiny, 1, huge],
  delta: [0, tiny, 1 - 2 ** -53],
  rho: [0, tiny, 1, huge],
  sigma: [tiny, 1, huge],
};

describe.each(Object.entries(guards))("%s", (name, guard) => {
  it.each(refused[name as keyof typeof guards])("refuses %s", (x) => {
    expect(() => guard(x)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });
  it.each(taken[name as keyof typeof guards])("takes %s", (x) => {
    expect(guard(x)).toBe(x);
  });
  it("passes an ordinary value through", () => {
    expect(guard(0.25)).toBe(0.25);
  });
});
