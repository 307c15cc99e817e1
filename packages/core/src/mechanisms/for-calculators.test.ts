import { describe, expect, it } from "vitest";
import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import type { ProvableLosses } from "../losses/provable-losses.ts";
import type { RenyiCurve } from "../losses/renyi/curves/renyi-curve.ts";
import { ratio } from "../numeric/rational.ts";
import { withCalculators } from "./for-calculators.ts";

const exact = { pure: { epsilon: ratio(1n) } } as unknown as ProvableLosses;
const curve = {} as RenyiCurve;

describe("the forms that only calculators read", () => {
  it("are made when they are asked for, and once, also where there is none", () => {
    const made: string[] = [];
    const losses = withCalculators(exact, {
      renyi: () => {
        made.push("renyi");
        return curve;
      },
      pair: () => {
        made.push("pair");
        return null;
      },
    });
    expect(losses.pure).toBe(exact.pure);
    expect(made).toEqual([]);
    expect([losses.renyi, losses.renyi]).toEqual([curve, curve]);
    expect(made).toEqual(["renyi"]);
    expect([losses.pair, losses.pair]).toEqual([null, null]);
    expect(made).toEqual(["renyi", "pair"]);
  });

  it("are null where a mechanism has none, or its numbers lie outside what the formula can do", () => {
    expect(withCalculators(exact, {}).renyi).toBeNull();
    expect(withCalculators(exact, {}).pair).toBeNull();
    let asked = 0;
    const losses = withCalculators(exact, {
      renyi: () => {
        asked += 1;
        throw invalidParameter("sigma", "1e-400", "a double");
      },
    });
    expect([losses.renyi, losses.renyi]).toEqual([null, null]);
    expect(asked).toBe(1);
  });

  it.each([
    [
      "another refusal",
      new LetheError("internal.invariant", "a table does not hold", { fix: "report this" }),
    ],
    ["an error of the program", new TypeError("undefined is not a function")],
    [
      "one that only looks like a refusal",
      Object.assign(new Error("not ours"), { code: "parameter.invalid" }),
    ],
  ])("do not hide %s", (_, error) => {
    const losses = withCalculators(exact, {
      pair: () => {
        throw error;
      },
    });
    expect(() => losses.pair).toThrow(error);
  });
});
