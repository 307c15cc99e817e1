import { describe, expect, test } from "vitest";
import { eventFromJson, maxEventDepth, maxEventNodes } from "./event-json.ts";

const constant = { kind: "constant", version: 1 };
const compose = (events: readonly unknown[]): unknown => ({ kind: "compose", version: 1, events });

describe("an untrusted event", () => {
  test("may have as many nodes as the limit says, and not one more", () => {
    const children = new Array<unknown>(maxEventNodes - 1).fill(constant);
    expect(eventFromJson(compose(children))).toMatchObject({ kind: "compose" });
    expect(() => eventFromJson(compose([...children, constant]))).toThrow(
      /event size must be at most 100000/,
    );
  });
  test("counts nodes over the whole tree, not a list at a time", () => {
    const half = compose(new Array<unknown>(maxEventNodes / 2).fill(constant));
    expect(() => eventFromJson(compose([half, half]))).toThrow(/event size/);
  });
  test("may be as deep as the limit says, and not one level more", () => {
    let nested: unknown = constant;
    for (let depth = 1; depth < maxEventDepth; depth++) nested = compose([nested]);
    expect(eventFromJson(nested)).toEqual(nested);
    expect(() => eventFromJson(compose([nested]))).toThrow(/event depth/);
  });
});
