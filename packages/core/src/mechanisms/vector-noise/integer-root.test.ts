import { expect, test } from "vitest";
import { ceilSqrt, floorSqrt } from "./integer-root.ts";

test("integer roots enclose the root of every small number, and are one number at a square", () => {
  for (let n = 0; n <= 400; n += 1) {
    const root = Math.sqrt(n);
    expect([floorSqrt(BigInt(n)), ceilSqrt(BigInt(n))], `${n}`).toEqual([
      BigInt(Math.floor(root)),
      BigInt(Math.ceil(root)),
    ]);
  }
});

test.each([10n ** 20n + 7n, (1n << 90n) - 1n, 1n << 64n, 3n ** 71n])(
  "integer roots around the square of %i are exact",
  (root) => {
    expect([-1n, 0n, 1n].map((by) => floorSqrt(root * root + by))).toEqual([root - 1n, root, root]);
    expect([-1n, 0n, 1n].map((by) => ceilSqrt(root * root + by))).toEqual([root, root, root + 1n]);
    expect([floorSqrt((root + 1n) ** 2n - 1n), ceilSqrt((root + 1n) ** 2n - 1n)]).toEqual([root, root + 1n]);
  },
);
