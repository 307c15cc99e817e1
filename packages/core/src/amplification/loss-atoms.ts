import { invalidParameter } from "../errors/lethe-error.ts";
import type { DominatingPair, LossCells } from "../losses/pld/pairs/index.ts";
import { doubleAt } from "../numeric/elements/element-at.ts";

/** P and Q of outcomes in increasing loss, cell by cell. */
export interface Masses {
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** Between which losses the outcomes of a cell lie: cell i between edges 2i and 2i + 1, equal for an atom. */
  readonly edges: Float64Array;
  readonly infiniteP: number;
  readonly infiniteQ: number;
  /** At most so much of P or of Q was left out at each end. */
  readonly left: number;
}

/** An emission may leave out this much mass at either end. */
const tail = 1e-30;
const mostCells = 8000;
const largestLoss = 600;

/**
 * The finite part of a pair: its atoms, and where it has a density cells of equal width. Masses are known to a relative 2e-12, and losses as well
 * as these tell them.
 * Errors: parameter.invalid for a pair with losses beyond ±600, or that are off by more than 1e-12.
 */
export function cellsOf(pair: DominatingPair): Masses {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  pair.emit(evenCells(0, Number.POSITIVE_INFINITY), tail, (_cell, p, q) => {
    [from, to] = [Math.min(from, Math.log(p / q)), Math.max(to, Math.log(p / q))];
  });
  if (from < -largestLoss || to > largestLoss || Number.isNaN(from + to)) {
    throw invalidParameter("losses", Math.max(-from, to), `at most ${largestLoss}`);
  }
  if ((pair.lossError ?? 0) > 1e-12)
    throw invalidParameter("lossError", pair.lossError ?? 0, "at most 1e-12");
  const cells = evenCells(from, to > from ? (to - from) / mostCells : 1);
  const sums = new Map<number, { low: number; high: number; p: number; q: number }>();
  const tails = pair.emit(cells, tail, (cell, p, q) => {
    const known = sums.get(cell);
    if (known !== undefined) {
      known.p += p;
      known.q += q;
      return;
    }
    const atom = !Number.isInteger(cell);
    const [low, high] = atom ? [Math.log(p / q), Math.log(p / q)] : [cells.edge(cell), cells.edge(cell + 1)];
    sums.set(cell, { low, high, p, q });
  });
  const rows = [...sums.values()].sort((a, b) => a.low - b.low || a.high - b.high);
  return {
    p: Float64Array.from(rows, ({ p }) => p),
    q: Float64Array.from(rows, ({ q }) => q),
    edges: Float64Array.from(rows.flatMap(({ low, high }) => [low, high])),
    infiniteP: pair.infiniteP,
    infiniteQ: pair.infiniteQ,
    left: Math.max(tails.pLow, tails.pHigh, tails.qLow, tails.qHigh),
  };
}

/** Cells of this width from `from` on, without end on either side. Every atom has one of its own. */
function evenCells(from: number, width: number): LossCells {
  const atoms = new Map<number, number>();
  return {
    edge: (k) => (width < Number.POSITIVE_INFINITY ? from + k * width : k > 0 ? width : -width),
    cell: (loss) => (width < Number.POSITIVE_INFINITY ? Math.floor((loss - from) / width) : 0),
    atom: (loss) => {
      const known = atoms.get(loss) ?? atoms.size + 0.5;
      atoms.set(loss, known);
      return known;
    },
  };
}

/**
 * Every cell's masses at its two edges, so that both stay: no divergence falls (Doroshenko et al. 2022). Atoms stay where they are. In
 * increasing loss.
 */
export function spreadToEdges({ p, q, edges, ...ends }: Masses): Masses {
  const atoms = new Map<number, { p: number; q: number }>();
  const put = (loss: number, massP: number, massQ: number): void => {
    const known = atoms.get(loss) ?? { p: 0, q: 0 };
    atoms.set(loss, { p: known.p + massP, q: known.q + massQ });
  };
  for (let i = 0; i < p.length; i++) {
    const [low, high] = [doubleAt(edges, 2 * i), doubleAt(edges, 2 * i + 1)];
    if (low === high) {
      put(low, doubleAt(p, i), doubleAt(q, i));
      continue;
    }
    const up = (doubleAt(p, i) - Math.exp(low) * doubleAt(q, i)) / -Math.expm1(low - high);
    const share = Math.min(doubleAt(p, i), Math.max(0, up));
    put(low, doubleAt(p, i) - share, (doubleAt(p, i) - share) * Math.exp(-low));
    put(high, share, share * Math.exp(-high));
  }
  const all = [...atoms].filter(([, one]) => one.p > 0 || one.q > 0).sort((a, b) => a[0] - b[0]);
  return {
    ...ends,
    p: Float64Array.from(all, ([, one]) => one.p),
    q: Float64Array.from(all, ([, one]) => one.q),
    edges: Float64Array.from(all.flatMap(([loss]) => [loss, loss])),
  };
}

/** The same with P and Q exchanged. */
export function mirrored({ p, q, edges, infiniteP, infiniteQ, left }: Masses): Masses {
  return {
    p: q.slice().reverse(),
    q: p.slice().reverse(),
    edges: edges.map((edge) => -edge).reverse(),
    infiniteP: infiniteQ,
    infiniteQ: infiniteP,
    left,
  };
}
