import { LetheError } from "@lethe/core/errors";
import { doubleAt } from "@lethe/core/numeric";
import { type ClipShares, groupLimit, isCertified, unitScale } from "../../clipping/clip-scale.ts";
import type { ClippedSums } from "../../clipping/clipped-gradients.ts";
import type { GradientPart, UnitGradient } from "../../clipping/unit-gradient.ts";
import type { Arena } from "./arena.ts";
import type { Bytes, KernelExports } from "./kernel-exports.ts";
import type { OuterFactors, PlannedNetwork } from "./plan-network.ts";

/** Where sums lie, and what one block needs to be clipped. */
interface ClipRoom {
  readonly parameters: number;
  /** One double a weight. */
  readonly totals: Bytes;
  /** ‖x‖² and ‖d‖² of the rows of each outer part: `rows` doubles a part. */
  readonly xNorms: Bytes;
  readonly dNorms: Bytes;
  /** A single 1, the input of a bias. */
  readonly one: Bytes;
}

/** What rounding can add to a certificate: ../../clipping/clipped-sum.proof.md. */
const slack = 1 + 2 ** -22;

/** The factors of a part's gradient where it is not multiplied out, and its place among the parts. */
interface OuterPlace {
  readonly outer: OuterFactors;
  readonly offset: number;
  readonly at: number;
}

/**
 * Clips units' gradients, cuts them to the grid and adds them up: the integers that clipToGrid defines. Of an outer product only the factors are
 * scaled, before it is multiplied, cut and added in one go.
 */
export class ClipUnits {
  readonly #plan: PlannedNetwork;
  readonly #shares: ClipShares;
  readonly #room: ClipRoom;
  readonly #kernels: KernelExports;
  readonly #memory: ArrayBuffer;
  readonly #outer: readonly OuterPlace[];
  /** Σ g² of each part and each group, Σ (g·scale)² of each group's outer parts, of one unit. */
  readonly #partNorms: Float64Array;
  readonly #norms: Float64Array;
  readonly #sizes: Float64Array;
  readonly #outerSizes: Float64Array;
  #clip = 1;
  #unclipped = 0;

  /** Takes the memory that clipping needs. */
  static room(plan: PlannedNetwork, parameters: number, arena: Arena): ClipRoom {
    const count = plan.rows * plan.parts.length;
    const totals = arena.doubles(parameters);
    return {
      ...{ parameters, totals, xNorms: arena.doubles(count) },
      ...{ dNorms: arena.doubles(count), one: arena.floats(1) },
    };
  }

  constructor(
    plan: PlannedNetwork,
    shares: ClipShares,
    room: ClipRoom,
    kernels: KernelExports,
    memory: ArrayBuffer,
  ) {
    this.#plan = plan;
    this.#shares = shares;
    this.#room = room;
    this.#kernels = kernels;
    this.#memory = memory;
    this.#outer = plan.parts.flatMap(({ outer, offset }, at) =>
      outer === null ? [] : [{ outer, offset, at }],
    );
    this.#partNorms = new Float64Array(plan.parts.length);
    this.#norms = new Float64Array(shares.length);
    this.#sizes = new Float64Array(shares.length);
    this.#outerSizes = new Float64Array(shares.length);
    new Float32Array(memory, room.one, 1)[0] = 1;
  }

  /** Begins a sum of zeros. */
  start(clip: number): void {
    this.#clip = clip;
    this.#unclipped = 0;
    this.#kernels.clear(this.#room.totals, 8 * this.#room.parameters);
  }

  /** Adds the units of the block's first rows, each of one row. */
  addRows(rows: number): void {
    const k = this.#kernels;
    const { xNorms, dNorms, totals, one } = this.#room;
    for (const { outer, at } of this.#outer) {
      const place = 8 * this.#plan.rows * at;
      k.squaredNorms(outer.x, 4 * outer.inputs, outer.inputs, rows, xNorms + place);
      k.squaredNorms(outer.d, 4 * outer.outputs, outer.outputs, rows, dNorms + place);
    }
    const count = this.#plan.rows * this.#plan.parts.length;
    const x = new Float64Array(this.#memory, xNorms, count);
    const d = new Float64Array(this.#memory, dNorms, count);
    for (let row = 0; row < rows; row += 1) {
      const outerNorms = (at: number): readonly [number, number] => {
        const place = at * this.#plan.rows + row;
        return [doubleAt(x, place), doubleAt(d, place)];
      };
      if (!this.#addUnit(row, outerNorms)) this.#drop(row);
    }
    for (const { outer, offset } of this.#outer) {
      const { inputs, outputs, scaled, stride } = outer;
      const to = totals + 8 * offset;
      k.addOuter(outer.x, 4 * inputs, scaled, stride, rows, inputs, outputs, to);
      k.addOuter(one, 0, scaled, stride, rows, 1, outputs, to + 8 * inputs * outputs);
    }
  }

  /** Adds the one unit whose rows were added up. */
  addUnit(): void {
    this.#addUnit(0, null);
  }

  /** Adds another share's sums, doubles that lie at `sums`, and gives those of both. */
  addShare(sums: Bytes, unclipped: number): ClippedSums {
    this.#kernels.addDoubles(sums, this.#room.parameters, this.#room.totals);
    this.#unclipped += unclipped;
    return this.sums();
  }

  /** The sums, where they lie, and how many units were not clipped. */
  sums(): ClippedSums {
    const { totals, parameters } = this.#room;
    return { sums: new Float64Array(this.#memory, totals, parameters), unclipped: this.#unclipped };
  }

  /** The gradient of the block's first row, or of the one unit whose rows were added up. */
  gradient(ofRow: boolean): UnitGradient {
    const copy = (at: Bytes, count: number): Float32Array =>
      new Float32Array(this.#memory, at, count).slice();
    return this.#plan.parts.map(({ dw, parameters, outer }, at): GradientPart => {
      const group = this.#group(at);
      if (outer === null || !ofRow) return { kind: "dense", group, values: copy(dw, parameters) };
      return { kind: "outer", group, x: copy(outer.x, outer.inputs), d: copy(outer.d, outer.outputs) };
    });
  }

  #group(part: number): number {
    return this.#shares.length === 1 ? 0 : part;
  }

  /**
   * Clips one unit and adds what is multiplied out; `outerNorms` gives ‖x‖² and ‖d‖² of what is not. Gives false, and adds nothing, for a unit that
   * counts 0.
   */
  #addUnit(row: number, outerNorms: ((part: number) => readonly [number, number]) | null): boolean {
    const k = this.#kernels;
    const { parts, own } = this.#plan;
    this.#norms.fill(0);
    for (const [at, { dw, parameters, outer }] of parts.entries()) {
      let norm: number;
      if (outer !== null && outerNorms !== null) {
        const [x, d] = outerNorms(at);
        norm = (x + 1) * d;
      } else norm = k.squaredNorm(dw + row * own.stride, parameters);
      this.#partNorms[at] = norm;
      this.#norms[this.#group(at)] = doubleAt(this.#norms, this.#group(at)) + norm;
    }
    const { scales, unclipped } = unitScale(this.#norms, this.#clip, this.#shares);
    if (unclipped) this.#unclipped += 1;
    if (scales === null) return false;
    this.#sizes.fill(0);
    this.#outerSizes.fill(0);
    for (const [at, { outer }] of parts.entries()) {
      const group = this.#group(at);
      const scale = scales[group] ?? Number.NaN;
      let size = doubleAt(this.#partNorms, at) * scale * scale;
      if (outer !== null && outerNorms !== null) {
        const to = outer.scaled + row * outer.stride;
        k.scaled(outer.d + 4 * row * outer.outputs, outer.outputs, scale, to);
        size = (outerNorms(at)[0] + 1) * k.squaredNorm(to, outer.outputs);
        this.#outerSizes[group] = doubleAt(this.#outerSizes, group) + size;
      }
      this.#sizes[group] = doubleAt(this.#sizes, group) + size;
    }
    if (!this.#shares.every((share, group) => isCertified(doubleAt(this.#sizes, group), share))) return false;
    this.#addDense(row, scales, outerNorms !== null);
    return true;
  }

  /** Adds parts that are multiplied out, and checks the integers that were added. */
  #addDense(row: number, scales: Float32Array, factored: boolean): void {
    const { parts, own } = this.#plan;
    const squares = this.#norms.fill(0);
    for (const [at, { dw, parameters, outer, offset }] of parts.entries()) {
      if (outer !== null && factored) continue;
      const group = this.#group(at);
      const to = this.#room.totals + 8 * offset;
      const added = this.#kernels.addDense(
        dw + row * own.stride,
        parameters,
        scales[group] ?? Number.NaN,
        to,
      );
      squares[group] = doubleAt(squares, group) + added;
    }
    const holds = this.#shares.every(
      (share, group) =>
        doubleAt(squares, group) + doubleAt(this.#outerSizes, group) * slack <= groupLimit(share),
    );
    if (holds) return;
    throw new LetheError("internal.invariant", "a clipped gradient is longer than its clip", {
      fix: "report this: a kernel disagrees with what was proven of it, and nothing was released",
    });
  }

  /** Makes a row's outer products 0, whatever stands there. */
  #drop(row: number): void {
    for (const { outer } of this.#outer) {
      this.#kernels.clear(outer.scaled + row * outer.stride, outer.stride);
      this.#kernels.clear(outer.x + 4 * row * outer.inputs, 4 * outer.inputs);
    }
  }
}
