import type { SumWriter } from "../../aggregates/sum-writer.ts";
import type { Dialect } from "../../dialects/dialect.ts";

/**
 * Writes whole numbers, and totals that are scaled down from n rows to r. A total is at most 2 · largest a row, which is what has to fit;
 * with total = q·n + m, ⌊(2r·total + n)/2n⌋ = r·q + ⌊(2r·m + n)/2n⌋, of which nothing exceeds the total but (2r + 1)·n, so that 64 bits hold it.
 */
export function scaling(
  largest: bigint,
  r: bigint,
  dialect: Pick<Dialect, "write" | "wide" | "quotient" | "narrowSums">,
): Pick<SumWriter, "whole" | "scaled"> {
  const { write, wide, quotient, narrowSums } = dialect;
  const { plus, times, remainder, enclosed } = write;
  if (narrowSums === null || !narrowSums.hold(2n * largest) || !narrowSums.hold(2n * r + 1n))
    return {
      whole: wide,
      scaled: (total, n) =>
        quotient(enclosed(plus(times(wide(2n * r), total), n)), enclosed(times(wide(2n), n))),
    };
  const narrow = narrowSums.quotient;
  const times2r = (x: string): string => times(write.integer(2n * r), x);
  return {
    whole: write.integer,
    scaled(total, n) {
      const rest = plus(times2r(enclosed(remainder(total, n))), n);
      const share = narrow(enclosed(rest), enclosed(times(write.integer(2), n)));
      return enclosed(plus(times(write.integer(r), narrow(total, n)), share));
    },
  };
}
