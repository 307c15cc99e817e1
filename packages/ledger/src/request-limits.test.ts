import { parseRational, ratio } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { requireRequest } from "./request-checks.ts";
import { requireAmount, requireName, requireTime } from "./request-limits.ts";
import { pureLoss, request } from "./testing/temporary-ledger.ts";

const invalid = (message: RegExp): unknown =>
  expect.objectContaining({ code: "parameter.invalid", message: expect.stringMatching(message) });

describe("the limits of a request", () => {
  it("let a name be a text of 1 to 200 characters that can be shown", () => {
    for (const name of ["a", "x".repeat(200), "grüße 🙂", " "]) expect(requireName(name, "it")).toBe(name);
    for (const name of [
      "",
      "x".repeat(201),
      "a\u0000",
      "a\tb",
      "a\u0085",
      "\ud800",
      7 as never,
      null as never,
    ])
      expect(() => requireName(name, "it")).toThrow(
        invalid(/^it must be a text of 1 to 200 characters without control characters/) as Error,
      );
  });

  it("let an amount be 0 or more, and short enough to be read back", () => {
    for (const text of ["0", "1/3", "12"])
      expect(requireAmount(parseRational(text), "it")).toEqual(parseRational(text));
    expect(() => requireAmount(parseRational("-1/3"), "it")).toThrow(
      invalid(/^it must be ≥ 0, got -1\/3/) as Error,
    );
    expect(() => requireAmount(ratio(1n, 10n ** 9_000n), "it")).toThrow(invalid(/./) as Error);
  });

  it("let a clock tell whole milliseconds since 1970", () => {
    expect([0, 1.9, 8.64e15].map((at) => requireTime(() => at))).toEqual([0, 1, 8.64e15]);
    for (const at of [-1, -0.5, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])
      expect(() => requireTime(() => at)).toThrow(
        invalid(/^the clock must be milliseconds since 1970/) as Error,
      );
  });

  it("let a request have names, a hash in hex and losses that can be read back", () => {
    const good = request("a", "1/4");
    expect(() => requireRequest(good)).not.toThrow();
    expect(() =>
      requireRequest({ ...good, otherwise: { loss: pureLoss("0"), event: good.event } }),
    ).not.toThrow();
    const hash = good.requestHash;
    for (const requestHash of [hash.toUpperCase(), hash.slice(1), `${hash}0`, `${hash}\n`, ""])
      expect(() => requireRequest({ ...good, requestHash })).toThrow(
        invalid(/^the request hash must be a sha256 in hex/) as Error,
      );
    const unreadable = { measure: "pure", epsilon: ratio(1n, 10n ** 9_000n) } as const;
    for (const wrong of [
      { ...good, requestId: "" },
      { ...good, principal: "a\nb" },
      { ...good, loss: unreadable },
      { ...good, loss: pureLoss("-1/4") },
      { ...good, otherwise: { loss: unreadable, event: good.event } },
    ])
      expect(() => requireRequest(wrong)).toThrow(invalid(/./) as Error);
  });
});
