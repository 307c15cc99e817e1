import type { LossCells } from "../measures/pairs/index.ts";

/** No loss above is told apart from ∞ in one step: e^600 is near the end of the doubles. */
export const largestLoss = 600;

/** P and Q of each half bin of a grid. Half bin k runs from offset + k·pitch/2; two of them lie between neighbouring grid points. */
export class CellTally implements LossCells {
  readonly pitch: number;
  readonly offset: number;
  /** Index of the first grid point: the first half bin is 2·firstPoint. */
  firstPoint: number;
  p: Float64Array;
  q: Float64Array;
  /** P and Q of losses beyond ±largestLoss. */
  pBeyond = 0;
  qBeyond = 0;
  private counts: Int32Array;

  constructor(pitch: number, offset: number, lowest: number, highest: number) {
    this.pitch = pitch;
    this.offset = offset;
    this.firstPoint = Math.floor((Math.max(-largestLoss, lowest) - offset) / pitch) - 4;
    const last = Math.ceil((Math.min(largestLoss, highest) - offset) / pitch) + 4;
    const bins = Math.max(8, last - this.firstPoint + 1);
    this.p = new Float64Array(2 * bins);
    this.q = new Float64Array(2 * bins);
    this.counts = new Int32Array(2 * bins);
  }

  get bins(): number {
    return this.p.length / 2;
  }

  edge(k: number): number {
    return this.offset + k * (0.5 * this.pitch);
  }

  cell(loss: number): number {
    const position = (loss - this.offset) / (0.5 * this.pitch);
    const nearest = Math.round(position);
    // An atom that the grid was laid through begins its half bin, whatever the rounding.
    return Math.abs(position - nearest) < 1e-7 ? nearest : Math.floor(position);
  }

  /** The most atoms that went into one half bin. */
  get mostAtoms(): number {
    let most = 0;
    for (const count of this.counts) if (count > most) most = count;
    return most;
  }

  readonly add = (cell: number, p: number, q: number): void => {
    const local = cell - 2 * this.firstPoint;
    if (local >= 0 && local < this.p.length) {
      this.p[local]! += p;
      this.q[local]! += q;
      this.counts[local]!++;
    } else if (Math.abs(this.edge(cell)) <= largestLoss) {
      this.grow(cell);
      this.add(cell, p, q);
    } else {
      this.pBeyond += p;
      this.qBeyond += q;
    }
  };

  private grow(cell: number): void {
    const bins = this.bins;
    const wanted = Math.floor(cell / 2);
    const firstPoint = wanted < this.firstPoint ? wanted - bins : this.firstPoint;
    const size = Math.max(2 * bins, Math.max(this.firstPoint + bins - 1, wanted + 2) - firstPoint + 1);
    const shift = 2 * (this.firstPoint - firstPoint);
    const [p, q, counts] = [this.p, this.q, this.counts];
    this.p = new Float64Array(2 * size);
    this.q = new Float64Array(2 * size);
    this.counts = new Int32Array(2 * size);
    this.p.set(p, shift);
    this.q.set(q, shift);
    this.counts.set(counts, shift);
    this.firstPoint = firstPoint;
  }
}
