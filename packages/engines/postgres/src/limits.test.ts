import { expect, test } from "vitest";
import { checkLimits, defaultLimits } from "./limits.ts";

test("without a word of the owner's there are four statements at once, ten minutes, five million groups, rows of 1 GiB and 64 MiB", () => {
  expect(defaultLimits).toEqual({
    connections: 4,
    timeoutMs: 10 * 60 * 1000,
    maxGroups: 5_000_000,
    maxValues: 128 * 1024 * 1024,
    workMemoryKiB: 64 * 1024,
  });
  expect(() => checkLimits(defaultLimits)).not.toThrow();
});

test.each(Object.keys(defaultLimits))(
  "%s is an integer from 1 to 2^31 − 1, which PostgreSQL's settings hold",
  (name) => {
    for (const value of [1, 2 ** 31 - 1])
      expect(() => checkLimits({ ...defaultLimits, [name]: value })).not.toThrow();
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
      expect(() => checkLimits({ ...defaultLimits, [name]: value }), String(value)).toThrow(
        expect.objectContaining({
          code: "parameter.invalid",
          message: expect.stringContaining(`limits.${name}`),
        }),
      );
  },
);
