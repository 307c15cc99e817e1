/** An address in the memory of the kernels, or a length in bytes. */
export type Bytes = number;

/** The functions of packages/learn/assembly. Addresses and strides are in bytes, counts in entries; entries are float32 unless a comment there says otherwise. */
export interface KernelExports {
  pack(from: Bytes, depth: number, columns: number, rowStep: number, columnStep: number, panels: Bytes): void;
  multiply(
    a: Bytes,
    aRows: Bytes,
    rows: number,
    runs: number,
    run: number,
    jump: Bytes,
    panels: Bytes,
    columns: number,
    start: Bytes,
    c: Bytes,
    cRows: Bytes,
    add: boolean,
  ): void;
  multiplyTransposed(
    a: Bytes,
    aRows: Bytes,
    rows: number,
    runs: number,
    run: number,
    jump: Bytes,
    d: Bytes,
    columns: number,
    c: Bytes,
    add: boolean,
  ): void;
  addRows(d: Bytes, rows: number, columns: number, sums: Bytes, add: boolean): void;
  squaredNorm(x: Bytes, count: number): number;
  squaredNorms(x: Bytes, stride: Bytes, count: number, rows: number, out: Bytes): void;
  scaled(x: Bytes, count: number, scale: number, to: Bytes): void;
  addDense(x: Bytes, count: number, scale: number, totals: Bytes): number;
  addOuter(
    x: Bytes,
    strideX: Bytes,
    a: Bytes,
    strideA: Bytes,
    units: number,
    depth: number,
    columns: number,
    totals: Bytes,
  ): void;
  addDoubles(more: Bytes, count: number, totals: Bytes): void;
  relu(x: Bytes, count: number, y: Bytes): void;
  tanh(x: Bytes, count: number, y: Bytes): void;
  sigmoid(x: Bytes, count: number, y: Bytes): void;
  reluBack(y: Bytes, dy: Bytes, count: number, dx: Bytes): void;
  tanhBack(y: Bytes, dy: Bytes, count: number, dx: Bytes): void;
  sigmoidBack(y: Bytes, dy: Bytes, count: number, dx: Bytes): void;
  pad(
    x: Bytes,
    height: number,
    width: number,
    channels: number,
    padding: number,
    paddedWidth: number,
    padded: Bytes,
  ): void;
  unpad(
    padded: Bytes,
    height: number,
    width: number,
    channels: number,
    padding: number,
    paddedWidth: number,
    x: Bytes,
  ): void;
  maxPool(
    x: Bytes,
    width: number,
    channels: number,
    kernel: number,
    stride: number,
    outHeight: number,
    outWidth: number,
    y: Bytes,
  ): void;
  maxPoolBack(
    x: Bytes,
    y: Bytes,
    dy: Bytes,
    width: number,
    channels: number,
    kernel: number,
    stride: number,
    outHeight: number,
    outWidth: number,
    dx: Bytes,
  ): void;
  averagePool(
    x: Bytes,
    width: number,
    channels: number,
    kernel: number,
    stride: number,
    outHeight: number,
    outWidth: number,
    y: Bytes,
  ): void;
  averagePoolBack(
    dy: Bytes,
    width: number,
    channels: number,
    kernel: number,
    stride: number,
    outHeight: number,
    outWidth: number,
    dx: Bytes,
  ): void;
  normalize(
    x: Bytes,
    positions: number,
    width: number,
    stride: number,
    gain: Bytes,
    bias: Bytes,
    normalized: Bytes,
    scale: Bytes,
    y: Bytes,
  ): void;
  normalizeBack(
    normalized: Bytes,
    scale: Bytes,
    dy: Bytes,
    positions: number,
    width: number,
    stride: number,
    gain: Bytes,
    dgain: Bytes,
    dbias: Bytes,
    dx: Bytes,
  ): void;
  areIndices(x: Bytes, count: number, limit: number): number;
  embed(x: Bytes, count: number, width: number, table: Bytes, y: Bytes): void;
  embedBack(x: Bytes, dy: Bytes, count: number, width: number, dtable: Bytes): void;
  softmaxGradient(z: Bytes, labels: Bytes, rows: number, count: number, d: Bytes): void;
  logisticGradient(z: Bytes, labels: Bytes, count: number, d: Bytes): void;
  differenceGradient(z: Bytes, labels: Bytes, count: number, d: Bytes): void;
  areFinite(x: Bytes, count: number): number;
  clear(at: Bytes, bytes: Bytes): void;
  narrow(from: Bytes, count: number, to: Bytes): void;
}
