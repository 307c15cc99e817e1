import { type Rational, toDouble } from "@lethe/core";
import { elementAt, lastElement } from "@lethe/core/numeric";
import { noiseDistance } from "../plan/index.ts";
import type { CandidateTable } from "../source/index.ts";
import type { GremRun } from "./grem-run.ts";
import type { PairResiduals } from "./pair-residuals.ts";

/** The pairs that a round may choose, each with what residuals say of it; made anew where an answer changed that. */
export interface PairChoice {
  /** Draws a pair whose exact counts lie far from what residuals say of it, further than the noise of a round that spends this part on it would. */
  choose(round: { readonly part: Rational; readonly epsilon: Rational }): Promise<PairResiduals>;
  /** Lets go of what an answer about these attributes changes: their own pair, and of one attribute all pairs with it. */
  forget(attributes: readonly number[]): void;
}

/** Prepares choices among pairs. */
export function pairChoice(
  { source, known, estimates }: Pick<GremRun, "source" | "known" | "estimates">,
  pairs: readonly PairResiduals[],
): PairChoice {
  const kept: (CandidateTable | null)[] = pairs.map(() => null);
  let spent: Rational | null = null;
  return {
    async choose({ part, epsilon }) {
      // What noise would give is another where a round is more precise.
      if (spent !== part) kept.fill(null);
      spent = part;
      const budget = toDouble(part, "down");
      const candidates = pairs.map(({ attributes, cells, residuals }, at) => {
        const before = kept[at];
        if (before) return before;
        // Were all of the part spent on the pair's own residual.
        const { cost, inCell } = lastElement(residuals);
        const variance = inCell / (budget / cost + 1 / known.varianceOf(attributes));
        const candidate = {
          ...{ attributes, estimate: estimates.of(attributes), weight: 1 },
          allowance: noiseDistance(Math.sqrt(variance), cells),
        };
        kept[at] = candidate;
        return candidate;
      });
      return elementAt(pairs, await source.choose(candidates, epsilon));
    },
    forget(changed) {
      for (const [at, { attributes }] of pairs.entries())
        if (changed.every((each) => attributes.includes(each))) kept[at] = null;
    },
  };
}
