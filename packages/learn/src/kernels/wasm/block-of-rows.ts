import { elementAt } from "@lethe/core/numeric";
import type { Loss } from "../network/network.ts";
import type { CheckedNetwork } from "../network/read-network.ts";
import { referenceLosses } from "../reference/reference-loss.ts";
import type { UnitRows } from "../rows.ts";
import type { KernelExports } from "./kernel-exports.ts";
import type { PlannedNetwork } from "./plan-network.ts";
import type { GradientPlace } from "./wasm-layer.ts";

/** Takes rows into the kernels' memory, and runs a block of them forward and back. */
export class BlockOfRows {
  readonly #network: CheckedNetwork;
  readonly #plan: PlannedNetwork;
  readonly #rows: UnitRows;
  readonly #kernels: KernelExports;
  readonly #inputs: Float32Array;
  readonly #labels: Float32Array;
  readonly #outputs: Float32Array;

  constructor(
    network: CheckedNetwork,
    plan: PlannedNetwork,
    rows: UnitRows,
    kernels: KernelExports,
    memory: ArrayBuffer,
  ) {
    this.#network = network;
    this.#plan = plan;
    this.#rows = rows;
    this.#kernels = kernels;
    this.#inputs = new Float32Array(memory, plan.x, plan.rows * network.inputs);
    this.#labels = new Float32Array(memory, plan.labels, plan.rows * network.labels);
    this.#outputs = new Float32Array(memory, plan.z, plan.rows * network.outputs);
  }

  /** Makes the gradient of each of these rows, at most a block: every row by itself. */
  rowsAsUnits(rows: readonly number[]): void {
    this.#run(rows, { stride: this.#plan.own.stride, dense: false });
  }

  /** Makes the gradient of one unit: that of all its rows, added up block by block. */
  rowsOfUnit(first: number, end: number): void {
    const { own, unit, rows } = this.#plan;
    this.#kernels.clear(own.at, own.stride);
    this.#kernels.clear(unit.at, unit.bytes);
    for (let from = first; from < end; from += rows) {
      const block = Array.from({ length: Math.min(rows, end - from) }, (_, i) => from + i);
      this.#run(block, { stride: 0, dense: true });
    }
  }

  /** The last layer's vectors of inputs that are taken as they are. */
  outputs(inputs: Float32Array): Float32Array {
    const { inputs: width, outputs } = this.#network;
    const count = Math.floor(inputs.length / width);
    const found = new Float32Array(count * outputs);
    for (let from = 0; from < count; from += this.#plan.rows) {
      const rows = Math.min(this.#plan.rows, count - from);
      this.#inputs.set(inputs.subarray(from * width, (from + rows) * width));
      for (let row = 0; row < rows; row += 1) this.#checkInput(row);
      for (const layer of this.#plan.layers) layer.forward(rows);
      found.set(this.#outputs.subarray(0, rows * outputs), from * outputs);
    }
    return found;
  }

  #run(rows: readonly number[], into: GradientPlace): void {
    const { layers, dz } = this.#plan;
    const { outputs } = this.#network;
    const faulty = this.#take(rows);
    for (const layer of layers) layer.forward(rows.length);
    this.#loss(rows.length);
    for (const row of faulty) this.#kernels.clear(dz + 4 * row * outputs, 4 * outputs);
    for (let at = layers.length - 1; at >= 0; at -= 1) elementAt(layers, at).backward(rows.length, into);
  }

  /** Copies rows in. A row that means nothing becomes zeros; gives the places of those, whose gradient is to be 0. */
  #take(rows: readonly number[]): readonly number[] {
    const { inputs, labels, outputs, network } = this.#network;
    const faulty: number[] = [];
    for (const [place, row] of rows.entries()) {
      this.#inputs.set(this.#rows.inputs.subarray(row * inputs, (row + 1) * inputs), place * inputs);
      const own = this.#rows.labels.subarray(row * labels, (row + 1) * labels);
      const accepted = referenceLosses[network.loss].accepts(own, outputs);
      if (accepted) this.#labels.set(own, place * labels);
      else this.#labels.fill(0, place * labels, (place + 1) * labels);
      if (!this.#checkInput(place) || !accepted) {
        this.#inputs.fill(0, place * inputs, (place + 1) * inputs);
        faulty.push(place);
      }
    }
    return faulty;
  }

  /** Whether the input at this place of the block means something; zeros take its place where it does not. */
  #checkInput(place: number): boolean {
    const { inputs, layers } = this.#network;
    const at = this.#plan.x + 4 * place * inputs;
    const first = layers[0]?.layer;
    const means =
      first?.layer === "embedding"
        ? this.#kernels.areIndices(at, inputs, first.entries)
        : this.#kernels.areFinite(at, inputs);
    if (means === 0) this.#kernels.clear(at, 4 * inputs);
    return means !== 0;
  }

  #loss(rows: number): void {
    const { z, dz, labels } = this.#plan;
    const { outputs, network } = this.#network;
    const k = this.#kernels;
    const gradients: Readonly<Record<Loss, () => void>> = {
      "softmax-cross-entropy": () => k.softmaxGradient(z, labels, rows, outputs, dz),
      "binary-logistic": () => k.logisticGradient(z, labels, rows, dz),
      "squared-error": () => k.differenceGradient(z, labels, rows * outputs, dz),
    };
    gradients[network.loss]();
  }
}
