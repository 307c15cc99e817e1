import { expect, it, vi } from "vitest";
import { type Rational, ratio } from "../../numeric/rational.ts";
import { remembered } from "./remembered.ts";

const [a, b, c] = [ratio(1n, 2n), ratio(2n), ratio(3n)];

it("computes once what is asked again, and gives the very answer", () => {
  const compute = vi.fn((x: Rational, y: Rational) => ({ x, y }));
  const known = remembered(2, compute);
  const first = known(a, b);
  expect(first).toEqual({ x: a, y: b });
  expect(known(ratio(1n, 2n), ratio(2n))).toBe(first);
  expect(compute).toHaveBeenCalledTimes(1);
});

it("tells apart the order of arguments, and numerators from denominators", () => {
  const known = remembered(9, (...all: Rational[]) => all);
  expect(known(a, b)).toEqual([a, b]);
  expect(known(b, a)).toEqual([b, a]);
  expect(known(ratio(2n, 1n))).toEqual([ratio(2n)]);
  expect(known(ratio(1n, 2n))).toEqual([a]);
  expect(known(ratio(12n), ratio(3n))).toEqual([ratio(12n), c]);
  expect(known(ratio(1n), ratio(23n))).toEqual([ratio(1n), ratio(23n)]);
});

it("keeps as many answers as it was told, and lets the oldest go", () => {
  const compute = vi.fn((x: Rational) => x.num);
  const known = remembered(2, compute);
  for (const x of [a, b]) known(x);
  for (const x of [a, b]) known(x);
  expect(compute).toHaveBeenCalledTimes(2);
  known(c);
  expect(compute).toHaveBeenCalledTimes(3);
  known(c);
  known(b);
  expect(compute).toHaveBeenCalledTimes(3);
  known(a);
  expect(compute).toHaveBeenCalledTimes(4);
});
