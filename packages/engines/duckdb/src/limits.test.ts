import { availableParallelism, totalmem } from "node:os";
import { expect, test } from "vitest";
import { checkLimits, defaultLimits } from "./limits.ts";

test("without a word of the owner's, an engine has half the memory, all cores, ten minutes, five million groups and rows of 1 GiB", () => {
  const limits = defaultLimits("/state");
  expect(limits).toEqual({
    memory: Math.floor(totalmem() / 2),
    threads: availableParallelism(),
    timeoutMs: 10 * 60 * 1000,
    maxGroups: 5_000_000,
    maxValues: 128 * 1024 * 1024,
    spillDirectory: "/state/spill",
  });
  expect(() => checkLimits(limits)).not.toThrow();
});

const numbers = ["memory", "threads", "timeoutMs", "maxGroups", "maxValues"] as const;

test.each(numbers)("%s is a positive integer, and 1 is one", (name) => {
  const limits = defaultLimits("/state");
  expect(() => checkLimits({ ...limits, [name]: 1 })).not.toThrow();
  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    expect(() => checkLimits({ ...limits, [name]: value }), String(value)).toThrow(
      expect.objectContaining({
        code: "parameter.invalid",
        message: expect.stringContaining(`limits.${name}`),
      }),
    );
});

test("a time is one that a timer can wait for, and memory may be more than that", () => {
  const limits = defaultLimits("/state");
  expect(() => checkLimits({ ...limits, timeoutMs: 2 ** 31 - 1, memory: 2 ** 40 })).not.toThrow();
  expect(() => checkLimits({ ...limits, timeoutMs: 2 ** 31 })).toThrow(
    expect.objectContaining({
      code: "parameter.invalid",
      message: expect.stringContaining("limits.timeoutMs"),
    }),
  );
});
