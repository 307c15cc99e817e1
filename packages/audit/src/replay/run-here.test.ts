import { SeededSource } from "@lethe/core/tape";
import { describe, expect, test } from "vitest";
import { type AuditedFunction, runHere, type Wait } from "./run-here.ts";
import { Recording } from "./tape-of-calls.ts";

const recording = () => new Recording(new SeededSource(1), 1);

/** Waits that end at once up to a tick of a few milliseconds, and otherwise when they are stopped or told to. */
function waits() {
  const waited: number[] = [];
  const stopped: number[] = [];
  let over = (): void => undefined;
  const wait: Wait = (milliseconds) => {
    waited.push(milliseconds);
    const ended = new Promise<void>((resolve) => {
      if (milliseconds < 10) resolve();
      else over = resolve;
    });
    return { over: ended, stop: () => void stopped.push(milliseconds) };
  };
  return { wait, waited, stopped, over: () => over() };
}
const ended = async (audited: AuditedFunction<number[]>, limit = 1_000) => {
  const clock = waits();
  const ending = await runHere(audited, limit, clock.wait)([3], recording());
  return { ending, ...clock };
};

describe("a run in this thread", () => {
  test("ends with a text of what is returned, kept or promised, and stops its clock", async () => {
    for (const audited of [() => [1], async () => [1]]) {
      const { ending, waited, stopped } = await ended(audited);
      expect(ending).toEqual({ ended: "returned", result: "Array[1]" });
      expect(waited[1]).toBe(1_000);
      expect(stopped).toEqual([1_000]);
    }
  });
  test("waits between two runs, so that a clock goes on", async () => {
    const { waited } = await ended(() => 1);
    expect(waited).toHaveLength(2);
    expect(waited[0]).toBeGreaterThan(0);
  });
  test("is told apart by how it ends", async () => {
    expect((await ended(() => JSON.parse("{"))).ending).toEqual({ ended: "threw" });
    expect((await ended(() => Promise.reject(new Error("no")))).ending).toEqual({ ended: "threw" });
    expect((await ended(() => () => 1)).ending).toEqual({ ended: "opaque" });
    const noise = { mechanism: "discrete-laplace@1", scale: "1" } as const;
    const often: AuditedFunction<number[]> = (_rows, dp) => {
      for (;;) dp.addNoise([0n], noise, { l1: 1n, l2Squared: 1n });
    };
    expect((await ended(often)).ending).toEqual({ ended: "hung" });
  });
  test("hangs where its promise is not kept before the limit", async () => {
    const clock = waits();
    const ending = runHere(() => new Promise(() => undefined), 50, clock.wait)([3], recording());
    await Promise.resolve();
    await Promise.resolve();
    clock.over();
    expect(await ending).toEqual({ ended: "hung" });
  });
  test("has a copy of the data, and no handle after its end", async () => {
    const data = [3];
    let late = (): unknown => undefined;
    const audited: AuditedFunction<number[]> = (rows, dp) => {
      rows.push(4);
      late = () =>
        dp.addNoise([0n], { mechanism: "discrete-laplace@1", scale: "1" }, { l1: 1n, l2Squared: 1n });
      return rows;
    };
    expect(await runHere(audited, 1_000, waits().wait)(data, recording())).toEqual({
      ended: "returned",
      result: "Array[3,4]",
    });
    expect(data).toEqual([3]);
    expect(() => late()).toThrow(/over/);
  });
});
