import { LetheError, parseRational } from "@lethe/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Domain } from "../domain/index.ts";
import type { SynthesisMethod } from "../plan/index.ts";
import { planSynthesis } from "./plan-synthesis.ts";

const budget = { measure: "zcdp", rho: parseRational("1/10") } as const;
const sized = (sizes: readonly number[]): Domain =>
  sizes.map((size, at) => ({
    ...{ kind: "categories", name: `c${at}`, nullable: false },
    categories: Array.from({ length: size }, (_, value) => value),
  }));

interface Asked {
  readonly method: SynthesisMethod;
  readonly domain: Domain;
  readonly target?: string;
  readonly modelBytes: number;
}

/** The fix of a refusal; null where the domain fits. */
function fixOf(asked: Asked): string | null {
  try {
    planSynthesis({ ...asked, adjacency: "add-or-remove-one", budget });
    return null;
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    expect(error.code).toBe("model.invalid");
    return error.fix;
  }
}

describe("a domain that is too large for its cap", () => {
  it("is refused, and every fix that is named is accepted", () => {
    const method = fc.constantFrom("mst" as const, "aim" as const, "residuals" as const, "aim-grem" as const);
    const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 200, max: 3000 }));
    const told = { out: 0, cap: 0, method: 0 };
    fc.assert(
      fc.property(
        method,
        fc.array(size, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 3, max: 8 }),
        fc.option(fc.nat(5), { nil: null }),
        (name, sizes, digits, place) => {
          const domain = sized(sizes);
          const target = place !== null && sizes.length > 1 ? { target: `c${place % sizes.length}` } : {};
          const asked: Asked = { method: name, domain, modelBytes: 10 ** digits, ...target };
          const fix = fixOf(asked);
          if (fix === null) return;
          expect(fix).not.toBe("");
          const [left] = /leave out ("c\d"(?:, "c\d")*)/.exec(fix)?.slice(1) ?? [];
          if (left) {
            const names: readonly string[] = JSON.parse(`[${left}]`);
            expect(fixOf({ ...asked, domain: domain.filter((each) => !names.includes(each.name)) })).toBe(
              null,
            );
            told.out += 1;
          }
          const [cap] = /raise the cap to ([\d.]+) MB/.exec(fix)?.slice(1) ?? [];
          if (cap) {
            expect(fixOf({ ...asked, modelBytes: Number(cap) * 1e6 })).toBe(null);
            told.cap += 1;
          }
          const [usual] = /the method aim-grem at its usual cap of (\d+) MB/.exec(fix)?.slice(1) ?? [];
          if (usual) {
            expect(fixOf({ ...asked, method: "aim-grem", modelBytes: Number(usual) * 1e6 })).toBe(null);
            told.method += 1;
          }
        },
      ),
      { numRuns: 300, seed: 21 },
    );
    expect(Math.min(told.out, told.cap, told.method)).toBeGreaterThan(20);
  });

  it("names no cap that a description could not state, and no column more than need be left out", () => {
    const wide = sized([10_000, 4096, 3, 2]);
    expect(fixOf({ method: "mst", domain: wide, modelBytes: 16e6 })).toBe('leave out "c0"');
    expect(fixOf({ method: "residuals", domain: sized([900, 900]), modelBytes: 1e6 })).toBe(
      'leave out "c0", or raise the cap to 6.48 MB, or take the method aim-grem at its usual cap of 64 MB',
    );
  });
});
