import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { LetheError } from "@lethe/core/errors";
import type { Optimizer } from "./optimizer.ts";

/**
 * Where a training stands after a step: enough to go on. `secret` is as private as the rows: keep a checkpoint where the rows are kept. It holds no key and no
 * coin: what goes on draws afresh.
 */
export interface Checkpoint {
  readonly version: 1;
  /** The hash of the plan that was paid for. */
  readonly plan: string;
  /** The name of the charge that paid for it. */
  readonly charge: string;
  /** Steps that were released. */
  readonly step: number;
  readonly weights: Float64Array;
  /** The clip of the next step. */
  readonly clip: number;
  readonly optimizer: Optimizer;
  readonly descent: readonly Float64Array[];
  readonly secret: {
    /** Every unit's bin in the pass that has begun. */
    readonly bins: Uint32Array | null;
    /** Noise of the steps before, where later noise hangs on it. */
    readonly noise: readonly Float64Array[];
  };
}

const magic = "LETHE-CHECKPOINT-1\n";
const hashLength = 64;

/** A checkpoint as bytes: a line of JSON, the vectors, all under a hash, so that a write that was cut off is seen. The same on every machine. */
export function checkpointBytes(checkpoint: Checkpoint): Uint8Array {
  const { weights, descent, secret, ...rest } = checkpoint;
  const vectors = [weights, ...descent, ...secret.noise];
  const header = canonicalJson({
    ...rest,
    parameters: weights.length,
    descent: descent.length,
    noise: secret.noise.length,
    bins: secret.bins?.length ?? -1,
  });
  const head = new TextEncoder().encode(`${header}\n`);
  const body = new Uint8Array(
    head.length + 8 * weights.length * vectors.length + 4 * (secret.bins?.length ?? 0),
  );
  body.set(head);
  const view = new DataView(body.buffer);
  let at = head.length;
  for (const vector of vectors) {
    for (const x of vector) {
      view.setFloat64(at, x, true);
      at += 8;
    }
  }
  for (const bin of secret.bins ?? []) {
    view.setUint32(at, bin, true);
    at += 4;
  }
  const start = new TextEncoder().encode(`${magic}${hashOf(body)}\n`);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}

/** Errors: parameter.invalid for bytes that are no whole checkpoint. */
export function readCheckpoint(bytes: Uint8Array): Checkpoint {
  const start = magic.length + hashLength + 1;
  const text = new TextDecoder().decode(bytes.subarray(0, start));
  const body = bytes.slice(start);
  if (text !== `${magic}${hashOf(body)}\n`) throw broken();
  const end = body.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(body.subarray(0, end))) as Header;
  const view = new DataView(body.buffer);
  let at = end + 1;
  const vector = (): Float64Array => {
    const from = at;
    at += 8 * header.parameters;
    return Float64Array.from({ length: header.parameters }, (_, i) => view.getFloat64(from + 8 * i, true));
  };
  const list = (length: number): Float64Array[] => Array.from({ length }, vector);
  const [weights, descent, noise] = [vector(), list(header.descent), list(header.noise)];
  const bins =
    header.bins < 0
      ? null
      : Uint32Array.from({ length: header.bins }, (_, i) => view.getUint32(at + 4 * i, true));
  const { version, plan, charge, step, clip, optimizer } = header;
  return { version, plan, charge, step, clip, optimizer, weights, descent, secret: { bins, noise } };
}

interface Header extends Pick<Checkpoint, "version" | "plan" | "charge" | "step" | "clip" | "optimizer"> {
  readonly parameters: number;
  readonly descent: number;
  readonly noise: number;
  readonly bins: number;
}

/** The hash of bytes, each a character of the text that is hashed. */
function hashOf(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return sha256(text);
}

function broken(): LetheError {
  return new LetheError("parameter.invalid", "the bytes are no whole checkpoint of a training", {
    fix: "go on from an earlier checkpoint that was written to its end",
    fields: { name: "checkpoint" },
  });
}
