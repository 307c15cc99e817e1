import { expect, test } from "vitest";
import { coordinate, type DrawnPart, inputs, nodes } from "./drawn-part.ts";

const sorted = (map: ReadonlyMap<string, bigint>) => Object.fromEntries([...map].sort());

test("an integer is the only coordinate of its group", () => {
  expect([...coordinate(7n)]).toEqual([["", 7n]]);
});

test("a tree's counts are those of every node above its cells, on every level", () => {
  const cells = new Map([
    [0, 2n],
    [1, 3n],
    [5, 4n],
    [8, 1n],
    [9, 100n],
    [-1, 100n],
  ]);
  expect(sorted(nodes({ branching: 3, height: 2 } as never, cells))).toEqual({
    "1 0": 5n,
    "1 1": 4n,
    "1 2": 1n,
    "2 0": 2n,
    "2 1": 3n,
    "2 5": 4n,
    "2 8": 1n,
  });
});

test("the inputs of a part are one vector over groups and draws", () => {
  const part: DrawnPart = {
    name: "",
    parameters: "",
    drawn: new Map([
      [
        "a",
        [
          { input: coordinate(1n), output: 0n },
          { input: coordinate(2n), output: 0n },
        ],
      ],
      [
        "b",
        [
          {
            input: new Map([
              ["1 0", 3n],
              ["2 0", 4n],
            ]),
            output: null,
          },
        ],
      ],
    ]),
  };
  expect([...inputs(part).values()]).toEqual([1n, 2n, 3n, 4n]);
  expect(inputs(part).size).toBe(4);
});
