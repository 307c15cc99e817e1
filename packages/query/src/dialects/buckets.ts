import { constant } from "./constant.ts";
import type { OperatorText } from "./dialect.ts";

interface BucketText {
  readonly double: (value: number) => string;
  /** A body that names its operand several times. */
  readonly once: (operand: string, body: (name: string) => string) => string;
}

/**
 * WIDTH_BUCKET between constants. What lies in the lower half of the first bucket is told by comparison: an engine may raise
 * where the quotient underflows.
 */
export function widthBucket({ double, once }: BucketText): OperatorText<"four"> {
  return ([x], { args: [, low, high, buckets] }) => {
    const [lo, hi, count] = [Number(constant(low)), Number(constant(high)), Number(constant(buckets))];
    const scaled = (v: string): string =>
      `floor(((${v} - ${double(lo)}) / ${double(hi - lo)}) * ${double(count)})`;
    return once(
      x,
      (v) =>
        `CASE WHEN ${v} < ${double(lo)} THEN ${double(0)} WHEN ${v} >= ${double(hi)} THEN ${double(count + 1)} ` +
        `WHEN ${v} <= ${double(lo + (hi - lo) / (2 * count))} THEN ${double(1)} ` +
        `WHEN ${v} IS NOT NULL THEN least(${scaled(v)}, ${double(count - 1)}) + ${double(1)} END`,
    );
  };
}
