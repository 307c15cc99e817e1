import { invalidParameter } from "../../../errors/lethe-error.ts";
import { addAt, intAt } from "../../../numeric/elements/element-at.ts";
import type { LossCells } from "../pairs/index.ts";
import { largestLoss } from "./largest-loss.ts";
import { evenSpacing, type Spacing } from "./spacing.ts";

const unit = Number.EPSILON / 2;

/** Grids are not made longer: some hundred megabytes. */
export const mostBins: number = 1 << 22;

/** The position of a grid: its index i is the loss offset + i·pitch. */
export interface GridPlace {
  readonly pitch: number;
  readonly offset: number;
}

/** P and Q of half bins in increasing loss: half bins 2i and 2i + 1 lie between the places i and i + 1. */
export interface HalfBins {
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** P of the atoms on each place, besides. */
  readonly points: Float64Array;
  /** The grid index of each place. */
  readonly indices: Float64Array;
}

/** P and Q of each half bin of a grid: two of them lie between neighbouring places, and half bin 2i begins at place i. */
export class CellTally implements LossCells {
  readonly pitch: number;
  readonly offset: number;
  private readonly misfit: number;
  private readonly spacing: Spacing;
  /** The first place: the first half bin is 2·firstPoint. */
  firstPoint: number;
  p: Float64Array;
  q: Float64Array;
  /** P and Q of atoms on places, the first at `firstPoint`. */
  pointP: Float64Array;
  pointQ: Float64Array;
  /** P and Q of losses beyond ±largestLoss, or beyond what a grid holds: counted as ±∞. */
  pBeyond = 0;
  qBeyond = 0;
  private counts: Int32Array;
  /** All losses beyond the largest are two cells. */
  private readonly lowestCell: number;
  private readonly highestCell: number;

  constructor(
    pitch: number,
    offset: number,
    misfit: number,
    lowest: number,
    highest: number,
    spacing: Spacing = evenSpacing,
  ) {
    if (!(pitch > 0 && Number.isFinite(pitch) && Number.isFinite(offset))) {
      throw invalidParameter("pitch", pitch, "positive and finite, as the offset");
    }
    this.misfit = misfit;
    this.pitch = pitch;
    this.offset = offset;
    this.spacing = spacing;
    this.lowestCell = Math.floor(2 * this.placeOf(-largestLoss)) - 2;
    this.highestCell = Math.floor(2 * this.placeOf(largestLoss)) + 2;
    this.firstPoint = Math.floor(this.placeOf(Math.max(-largestLoss, lowest))) - 4;
    const last = Math.ceil(this.placeOf(Math.min(largestLoss, highest))) + 4;
    const bins = Math.max(8, last - this.firstPoint + 1);
    this.p = new Float64Array(2 * bins);
    this.q = new Float64Array(2 * bins);
    this.counts = new Int32Array(2 * bins);
    this.pointP = new Float64Array(bins + 1);
    this.pointQ = new Float64Array(bins + 1);
  }

  get bins(): number {
    return this.p.length / 2;
  }

  /** The loss of a place, or between two of them. */
  point(place: number): number {
    return this.offset + this.spacing.gridOf(place) * this.pitch;
  }

  private placeOf(loss: number): number {
    return this.spacing.placeOf((loss - this.offset) / this.pitch);
  }

  edge(k: number): number {
    if (k <= this.lowestCell) return Number.NEGATIVE_INFINITY;
    if (k > this.highestCell) return Number.POSITIVE_INFINITY;
    return this.point(0.5 * k);
  }

  cell(loss: number): number {
    const cell = Math.floor(2 * this.placeOf(loss));
    return Math.max(this.lowestCell, Math.min(this.highestCell, cell));
  }

  /** An atom on a place is told by a half: 2i + ½ for place i. */
  atom(loss: number): number {
    const point = Math.round(this.placeOf(loss));
    const distance = Math.abs(this.point(point) - loss);
    return distance <= this.misfit + 64 * unit * (1 + Math.abs(loss)) ? 2 * point + 0.5 : this.cell(loss);
  }

  /** The most atoms that went into one half bin. */
  get mostAtoms(): number {
    let most = 0;
    for (const count of this.counts) if (count > most) most = count;
    return most;
  }

  halfBins(): HalfBins {
    return { p: this.p, q: this.q, points: this.pointP, indices: this.indices() };
  }

  /** The same of −L under (Q, P). */
  mirroredHalfBins(): HalfBins {
    return {
      p: this.q.slice().reverse(),
      q: this.p.slice().reverse(),
      points: this.pointQ.slice().reverse(),
      indices: this.indices()
        .reverse()
        .map((index) => -index),
    };
  }

  /** The widest cell. */
  get widest(): number {
    return this.spacing.widest * this.pitch;
  }

  private indices(): Float64Array {
    return this.pointP.map((_, i) => this.spacing.gridOf(this.firstPoint + i));
  }

  readonly add = (cell: number, p: number, q: number): void => {
    const local = cell - 2 * this.firstPoint;
    if (cell <= this.lowestCell || cell >= this.highestCell) {
      this.pBeyond += p;
      this.qBeyond += q;
    } else if (local >= 0 && local < this.p.length) {
      if (local % 1 !== 0) {
        addAt(this.pointP, (local - 0.5) / 2, p);
        addAt(this.pointQ, (local - 0.5) / 2, q);
        return;
      }
      addAt(this.p, local, p);
      addAt(this.q, local, q);
      this.counts[local] = intAt(this.counts, local) + 1;
    } else if (Math.abs(this.edge(cell)) <= largestLoss && this.grow(cell)) {
      this.add(cell, p, q);
    } else {
      this.pBeyond += p;
      this.qBeyond += q;
    }
  };

  /** Whether there is room for the cell now. */
  private grow(cell: number): boolean {
    const bins = this.bins;
    const wanted = Math.floor(cell / 2);
    const firstPoint = wanted < this.firstPoint ? wanted - bins : this.firstPoint;
    const size = Math.max(2 * bins, Math.max(this.firstPoint + bins - 1, wanted + 2) - firstPoint + 1);
    if (size > 2 * mostBins) return false;
    const shift = 2 * (this.firstPoint - firstPoint);
    const [p, q, counts, pointP, pointQ] = [this.p, this.q, this.counts, this.pointP, this.pointQ];
    this.p = new Float64Array(2 * size);
    this.q = new Float64Array(2 * size);
    this.counts = new Int32Array(2 * size);
    this.p.set(p, shift);
    this.q.set(q, shift);
    this.counts.set(counts, shift);
    this.pointP = new Float64Array(size + 1);
    this.pointQ = new Float64Array(size + 1);
    this.pointP.set(pointP, shift / 2);
    this.pointQ.set(pointQ, shift / 2);
    this.firstPoint = firstPoint;
    return true;
  }
}
