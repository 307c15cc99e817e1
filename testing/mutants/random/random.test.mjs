import { describe, expect, it } from "vitest";
import { houseOf } from "../../../scripts/house/read-sources.mjs";
import { diceOf, shuffled } from "./dice.mjs";
import { shareInterval } from "./interval.mjs";
import { faultsOf } from "./operators.mjs";
import { RelatedTests } from "./related-tests.mjs";
import { sharesOf, strataOf } from "./strata.mjs";

/** Every text that one fault makes of `text`. */
const faulty = (text) =>
  faultsOf("x.ts", text).map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end));

describe("faults of a text", () => {
  it.each([
    ["a < b;", ["a <= b;", "a >= b;"]],
    ["f(a && !b);", ["f(a || !b);", "f(a && b);"]],
    ["x = max(a, 2n);", ["x = min(a, 2n);", "x = max(a, 3n);", "x = max(a, 1n);"]],
    ["y = roundedUp(z);", ["y = roundedDown(z);"]],
    ["if (bad) refuse();", ["if (!(bad)) refuse();", "if (true as boolean) refuse();", ";"]],
    ["if (bad) refuse();", ["if (bad) ;"]],
    ["q = rows.filter(mine);", ["q = rows;"]],
    ["d = a ?? 0;", ["d = a;", "d = a ?? 1;", "d = a ?? -1;"]],
    ["e = [1, 2];", ["e = [];"]],
    ["throw wrong;", [";"]],
  ])("in %s are %j and others", (text, wanted) => {
    expect(faulty(text)).toEqual(expect.arrayContaining(wanted));
  });

  it("are none in types, imports and keys", () => {
    expect(faulty('import { a } from "b";\ntype T = 1 | 2;\ninterface I { x: 1 }')).toEqual([]);
  });

  it("always change the text", () => {
    const text = "for (let i = 0; i < n; i += 1) { if (x[i] !== 0) total += -x[i]; else break; }";
    expect(faulty(text).length).toBeGreaterThan(12);
    expect(faulty(text)).not.toContain(text);
  });
});

describe("the draw", () => {
  it("gives each package its share, and no small one nothing", () => {
    expect([
      ...sharesOf(
        10,
        new Map([
          ["a", 900],
          ["b", 100],
          ["c", 1],
        ]),
      ),
    ]).toEqual([
      ["a", 7],
      ["b", 2],
      ["c", 1],
    ]);
  });

  it("is the same for the same seed, and a permutation", () => {
    const items = Array.from({ length: 50 }, (_, at) => at);
    expect(shuffled(items, diceOf(7))).toEqual(shuffled(items, diceOf(7)));
    expect(shuffled(items, diceOf(7))).not.toEqual(shuffled(items, diceOf(8)));
    expect([...shuffled(items, diceOf(7))].sort((a, b) => a - b)).toEqual(items);
  });
});

describe("a house of two packages", () => {
  const house = houseOf(
    new Map([
      ["packages/a/src/x.ts", "export const x: number = 1;"],
      ["packages/a/src/x.test.ts", 'import { x } from "./x.ts";'],
      ["packages/a/src/index.ts", 'export { x } from "./x.ts";'],
      ["packages/b/src/y.ts", 'import { x } from "a"; export const y: number = x;'],
      ["packages/b/src/y.test.ts", 'import { y } from "./y.ts";'],
      ["packages/b/src/known-bad/z.ts", "export const z: number = 2;"],
      ["testing/src/all.test.ts", 'import { y } from "b";'],
    ]),
    new Map([
      ["packages/a", { name: "a", exports: { ".": { source: "./src/index.ts" } } }],
      ["packages/b", { name: "b", exports: { ".": { source: "./src/y.ts" } } }],
      ["testing", { name: "t" }],
    ]),
  );

  it("draws from the sources of its packages alone", () => {
    expect([...strataOf(house)]).toEqual([
      ["packages/a", ["packages/a/src/x.ts"]],
      ["packages/b", ["packages/b/src/y.ts"]],
    ]);
  });

  it("runs a fault's own tests first, then those of others that import it", () => {
    const related = new RelatedTests(house);
    expect(related.testsOf("packages/a/src/x.ts")).toEqual([
      "packages/a/src/x.test.ts",
      "packages/b/src/y.test.ts",
      "testing/src/all.test.ts",
    ]);
    expect(related.testsOf("packages/b/src/y.ts")).toEqual([
      "packages/b/src/y.test.ts",
      "testing/src/all.test.ts",
    ]);
  });
});

it("gives the interval of Clopper and Pearson", () => {
  // 50 of 58, 0 of 5 and 2 of 5: the quantiles of beta distributions.
  const [low, high] = shareInterval(50, 58);
  expect(low).toBeCloseTo(0.74619, 5);
  expect(high).toBeCloseTo(0.93852, 5);
  expect(shareInterval(0, 5)[0]).toBe(0);
  expect(shareInterval(0, 5)[1]).toBeCloseTo(1 - 0.025 ** (1 / 5), 10);
  expect(shareInterval(2, 5)[0]).toBeCloseTo(0.052745, 5);
});
