import type { BitSource } from "../entropy/bit-source.ts";
import { type Rational, ratio } from "../numeric/rational.ts";

/** A uniform number in [0, 1) of which only the first bits are known: it lies in [prefix, prefix + 1)·2^−length. */
export class LazyUniform {
  prefix: bigint;
  length: number;

  constructor(prefix: bigint = 0n, length = 0) {
    this.prefix = prefix;
    this.length = length;
  }

  get lo(): Rational {
    return ratio(this.prefix, 1n << BigInt(this.length));
  }
  get hi(): Rational {
    return ratio(this.prefix + 1n, 1n << BigInt(this.length));
  }

  append(value: number, bits: number): void {
    this.prefix = (this.prefix << BigInt(bits)) | BigInt(value);
    this.length += bits;
  }
  refine(bits: BitSource): void {
    this.append(bits.word(), 32);
  }
}
