import type { LossCells } from "../measures/pairs/index.ts";

/** No ε above is told apart from ∞ in one step: e^600 is near the end of the doubles. */
export const largestLoss = 600;

/**
 * What one emission leaves on a grid: the spread masses of the upper end for both directions at each grid point, and P and Q
 * of each half bin, from which the lower ends are made. Cell k is the half bin from offset + k·pitch/2.
 */
export class CellTally implements LossCells {
  readonly pitch: number;
  readonly offset: number;
  /** Index of the first grid point; the first half bin is 2·firstPoint. */
  firstPoint: number;
  forward: Float64Array;
  mirrored: Float64Array;
  p: Float64Array;
  q: Float64Array;
  private counts: Int32Array;
  /** P of losses beyond +largestLoss, Q of losses below −largestLoss. */
  pBeyond = 0;
  qBeyond = 0;
  private readonly forwardScale: number;
  private readonly small: boolean;

  constructor(pitch: number, offset: number, lowest: number, highest: number) {
    this.pitch = pitch;
    this.offset = offset;
    this.small = pitch < 2e-3;
    this.forwardScale = Math.expm1(-pitch);
    this.firstPoint = Math.floor((Math.max(-largestLoss, lowest) - offset) / pitch) - 4;
    const last = Math.ceil((Math.min(largestLoss, highest) - offset) / pitch) + 4;
    const points = Math.max(8, last - this.firstPoint + 1);
    this.forward = new Float64Array(points);
    this.mirrored = new Float64Array(points);
    this.p = new Float64Array(2 * points);
    this.q = new Float64Array(2 * points);
    this.counts = new Int32Array(2 * points);
  }

  edge(k: number): number {
    return this.offset + k * (0.5 * this.pitch);
  }

  cell(loss: number): number {
    return Math.floor((loss - this.offset) / (0.5 * this.pitch));
  }

  /** The most atoms that went into one half bin. */
  get mostAtoms(): number {
    let most = 0;
    for (const count of this.counts) if (count > most) most = count;
    return most;
  }

  readonly add = (cell: number, loss: number, p: number, q: number): void => {
    if (!(Math.abs(loss) <= largestLoss)) {
      // p at −∞ and q at +∞ vanish beside their partners and are told in the tails' place.
      this.pBeyond += p;
      this.qBeyond += q;
      return;
    }
    const local = cell - 2 * this.firstPoint;
    if (local < 0 || local + 2 >= this.p.length) {
      this.grow(cell);
      this.add(cell, loss, p, q);
      return;
    }
    this.p[local]! += p;
    this.q[local]! += q;
    this.counts[local]!++;
    const bin = local >> 1;
    const pitch = this.pitch;
    let above = loss - (this.offset + (this.firstPoint + bin) * pitch);
    above = above > 0 ? (above < pitch ? above : pitch) : 0;
    const below = pitch - above;
    // A mean-preserving spread of e^{−L}, every share a positive product.
    if (this.small) {
      const unit = 1 / this.forwardScale;
      const scaleUp = series(pitch);
      const toUpper = series(-above) * unit;
      const toLower = series(below) / scaleUp;
      this.forward[bin]! += p * toLower;
      this.forward[bin + 1]! += p * toUpper;
      this.mirrored[bin]! += q * series(-below) * unit;
      this.mirrored[bin + 1]! += (q * series(above)) / scaleUp;
    } else {
      const scaleUp = Math.expm1(pitch);
      this.forward[bin]! += (p * Math.expm1(below)) / scaleUp;
      this.forward[bin + 1]! += (p * Math.expm1(-above)) / this.forwardScale;
      this.mirrored[bin]! += (q * Math.expm1(-below)) / this.forwardScale;
      this.mirrored[bin + 1]! += (q * Math.expm1(above)) / scaleUp;
    }
  };

  private grow(cell: number): void {
    const points = this.forward.length;
    const wanted = Math.floor(cell / 2);
    const firstPoint = wanted < this.firstPoint ? wanted - points : this.firstPoint;
    const last = Math.max(this.firstPoint + points - 1, wanted + 2);
    const size = Math.max(2 * points, last - firstPoint + 1);
    const shift = this.firstPoint - firstPoint;
    const moved = (old: Float64Array, per: number): Float64Array => {
      const next = new Float64Array(per * size);
      next.set(old, per * shift);
      return next;
    };
    this.forward = moved(this.forward, 1);
    this.mirrored = moved(this.mirrored, 1);
    this.p = moved(this.p, 2);
    this.q = moved(this.q, 2);
    const counts = new Int32Array(2 * size);
    counts.set(this.counts, 2 * shift);
    this.counts = counts;
    this.firstPoint = firstPoint;
  }
}

/** e^x − 1 for |x| < 2e-3, to 1e-16. */
function series(x: number): number {
  return x * (1 + x * (1 / 2 + x * (1 / 6 + x * (1 / 24 + x * (1 / 120)))));
}
