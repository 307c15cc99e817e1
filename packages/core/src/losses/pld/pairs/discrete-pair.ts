import { nextUp } from "../../../numeric/directed.ts";
import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { DominatingPair, Tails } from "./dominating-pair.ts";
import { noTails } from "./dominating-pair.ts";

/** Finitely many atoms, in increasing loss; every p and q > 0. */
export interface Atoms {
  readonly loss: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
}

/** The same, atom by atom and in any order. */
export function atomsOf(
  rows: readonly { readonly loss: number; readonly p: number; readonly q: number }[],
): Atoms {
  const sorted = [...rows].sort((a, b) => a.loss - b.loss);
  return {
    loss: Float64Array.from(sorted, ({ loss }) => loss),
    p: Float64Array.from(sorted, ({ p }) => p),
    q: Float64Array.from(sorted, ({ q }) => q),
  };
}

export interface DiscreteLaw {
  readonly id: string;
  readonly tight: boolean;
  readonly atoms: Atoms;
  readonly infiniteP: number;
  readonly infiniteQ: number;
  /** Upper bounds of the masses that `atoms` leaves out; given exactly where the law has unbounded loss, so that a list cannot hold all its atoms. */
  readonly tails?: Tails;
  group(k: number): DominatingPair | null;
}

/** The pair of a list of atoms, each mass to 1e-12 and each loss, and each ln(p/q), to 32u·(1 + |L|), besides the masses at ±∞. */
export function discretePair(law: DiscreteLaw): DominatingPair {
  const { loss, p, q } = law.atoms;
  const count = loss.length;
  return {
    id: law.id,
    tight: law.tight,
    symmetric: law.infiniteP === law.infiniteQ && mirrorsItself(law.atoms),
    discrete: true,
    maxLoss: law.tails ? Number.POSITIVE_INFINITY : count === 0 ? 0 : bound(doubleAt(loss, count - 1)),
    maxReverseLoss: law.tails ? Number.POSITIVE_INFINITY : count === 0 ? 0 : bound(-doubleAt(loss, 0)),
    infiniteP: law.infiniteP,
    infiniteQ: law.infiniteQ,
    anchors: [],
    gaussian: null,
    emit: (cells, _tail, sink) => {
      for (let i = 0; i < count; i++) sink(cells.atom(doubleAt(loss, i)), doubleAt(p, i), doubleAt(q, i));
      return law.tails ?? noTails;
    },
    group: law.group,
  };
}

/** 0 is exact; other losses are a few ulp off. */
function bound(loss: number): number {
  return loss === 0 ? 0 : nextUp(nextUp(nextUp(loss)));
}

function mirrorsItself({ loss, p, q }: Atoms): boolean {
  for (let i = 0, j = loss.length - 1; i < loss.length; i++, j--) {
    if (loss[i] !== -doubleAt(loss, j) || p[i] !== q[j]) return false;
  }
  return true;
}
