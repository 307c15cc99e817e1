import { LetheProblem } from "@lethe/client";
import { expect, test } from "vitest";
import { patiently } from "./patiently.ts";

const refusal = (code: string, wait: number | null): LetheProblem => new LetheProblem(429, { code }, wait);
const never = new AbortController().signal;

test("what came too often is done again after its wait", async () => {
  const turns = [refusal("serve.too-many", 1), refusal("serve.too-many", 0)];
  expect(
    await patiently(never, async () => {
      const turn = turns.shift();
      if (turn) throw turn;
      return "done";
    }),
  ).toBe("done");
});

test("any other failure is passed on, and what is not wanted any more is not begun again", async () => {
  for (const failure of [refusal("serve.absent", 1), refusal("serve.too-many", null), new TypeError("x")])
    await expect(patiently(never, () => Promise.reject(failure))).rejects.toBe(failure);
  const stop = new AbortController();
  const turn = patiently(stop.signal, async () => {
    stop.abort(new Error("gone"));
    throw refusal("serve.too-many", 1);
  });
  await expect(turn).rejects.toThrow("gone");
});
