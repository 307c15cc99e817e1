import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../dialects/dialect.ts";
import { duckdb, trino } from "../../dialects/index.ts";
import { scaling } from "./scaling.ts";

const rows = 2n ** 40n;
const narrowSums = trino.narrowSums!;

/** Refuses an integer that engines would not hold in so many bits. */
const within =
  (bits: bigint) =>
  (x: bigint): string => {
    if (x >= 2n ** (bits - 1n) || x < -(2n ** (bits - 1n)))
      throw new Error(`${x} takes more than ${bits} bits`);
    return `${x}`;
  };

/** Computes what it is asked to write, in integers of so many bits. */
function computing(bits: bigint): Pick<Dialect, "write" | "wide" | "quotient" | "narrowSums"> {
  const held = within(bits);
  const binary =
    (operator: (a: bigint, b: bigint) => bigint) =>
    (a: string, b: string): string =>
      held(operator(BigInt(a), BigInt(b)));
  const quotient = binary((a, b) => a / b);
  return {
    write: {
      ...trino.write,
      integer: (value) => held(BigInt(value)),
      plus: binary((a, b) => a + b),
      times: binary((a, b) => a * b),
      remainder: binary((a, b) => a % b),
      enclosed: (x) => x,
    },
    wide: held,
    quotient,
    narrowSums: bits === 64n ? { ...narrowSums, quotient } : null,
  };
}

describe("a total that is scaled down from n rows to r", () => {
  const largest = fc.bigInt({ min: 1n, max: 2n ** 22n });
  const limit = fc.oneof(fc.bigInt({ min: 1n, max: 40n }), fc.bigInt({ min: 1n, max: 2n ** 23n }));
  const share = fc.bigInt({ min: 0n, max: 2n ** 60n });
  const count = fc.oneof(
    fc.bigInt({ min: 1n, max: 50n }),
    fc.bigInt({ min: 1n, max: rows }),
    fc.constant(rows),
  );

  it("is the same in 64 bits, wherever they are chosen, as in 128 and as its definition", () => {
    let narrow = 0;
    const check = (most: bigint, r: bigint, n: bigint, part: bigint): void => {
      const total = (2n * most * n * part) / 2n ** 60n;
      const expected = (2n * r * total + n) / (2n * n);
      const wide = scaling(most, r, computing(128n));
      expect(wide.scaled(`${total}`, `${n}`)).toBe(`${expected}`);
      if (!narrowSums.hold(2n * most) || !narrowSums.hold(2n * r + 1n)) return;
      narrow += 1;
      expect(scaling(most, r, computing(64n)).scaled(`${total}`, `${n}`)).toBe(`${expected}`);
    };
    fc.assert(fc.property(largest, limit, count, share, check), { numRuns: 2_000 });
    expect(narrow).toBeGreaterThan(500);
    // The most that 64 bits are chosen for.
    check(2n ** 22n - 1n, 2n ** 22n - 1n, rows, 2n ** 60n);
  });

  it("is written in 64 bits on Trino, where the most there may be fits, and wide elsewhere", () => {
    const { scaled, whole } = scaling(1n << 20n, 3n, trino);
    expect(whole(7n)).toBe("7");
    expect(scaled("unit.p0", "unit.p1")).toBe(
      "(3 * (unit.p0 / unit.p1) + ((6 * (unit.p0 % unit.p1) + unit.p1) / (2 * unit.p1)))",
    );
    expect(scaling(1n << 22n, 3n, trino).whole(7n)).toBe(trino.wide(7n));
    expect(scaling(1n, 1n << 22n, trino).whole(7n)).toBe(trino.wide(7n));
    expect(scaling(1n, 3n, duckdb).whole(7n)).toBe(duckdb.wide(7n));
  });
});
