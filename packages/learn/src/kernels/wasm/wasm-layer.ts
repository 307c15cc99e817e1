import type { Bytes, KernelExports } from "./kernel-exports.ts";

/** The most rows that pass through the layers together: sums of so many integers of at most 2^20 are exact in float32. */
export const mostRows = 16;

/** One layer over a block of rows in the kernels' memory. */
export interface WasmLayer {
  /** Reads its weights, doubles that lie at `weights`. */
  readonly load: (weights: Bytes) => void;
  readonly forward: (rows: number) => void;
  /** Writes the weights' gradient of every row to where `into` says, and that of the input where one is wanted. */
  readonly backward: (rows: number, into: GradientPlace) => void;
}

/** Where gradients of weights go. */
export interface GradientPlace {
  /** Bytes from one row's gradients to the next's, where nothing stands that counts; 0 adds rows of one unit to what stands there. */
  readonly stride: Bytes;
  /** Whether gradients that are outer products of a row are multiplied out, because they are added up. */
  readonly dense: boolean;
}

/** Where a layer finds what it works on. A row's entries follow those of the row before it. */
export interface LayerPlace {
  readonly x: Bytes;
  readonly y: Bytes;
  readonly dy: Bytes;
  /** Null where no layer before it has weights, so that nobody asks. */
  readonly dx: Bytes | null;
  /** The gradient of its weights: of the first row, or of the unit. */
  readonly dw: Bytes;
}

/** Makes functions of kernels that are loaded later. */
export type Kernels = () => KernelExports;
