import { expect, it } from "vitest";
import { tree } from "./measurement-shape.ts";
import { Misshapen } from "./shape.ts";

const domain = { type: "number", bounds: [0, 9], integer: true, nullable: false, values: null };
const least = {
  name: "cells of age",
  argument: { kind: "column", name: "age", domain },
  grid: { exponent: 0, lo: "0", hi: "9" },
  cellWidth: "1",
  branching: 2,
  height: 1,
  rowWeight: 1,
  l1: "1",
  l2Squared: "1",
  noise: { mechanism: "discrete-laplace@1", scale: "2" },
};

it("a tree may be as small as one level of two branches, whose rows weigh 1", () => {
  expect(tree(least, "tree")).toMatchObject({ branching: 2, height: 1, rowWeight: 1 });
  for (const smaller of [{ branching: 1 }, { height: 0 }, { rowWeight: 0 }])
    expect(() => tree({ ...least, ...smaller }, "tree")).toThrow(Misshapen);
});
