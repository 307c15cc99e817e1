import { describe, expect, it } from "vitest";
import { houseOf } from "../../../scripts/house/read-sources.mjs";
import { diceOf, shuffled } from "./dice.mjs";
import { withOwnIds } from "./draw-faults.mjs";
import { shareInterval } from "./interval.mjs";
import { stepsOf } from "./judge.mjs";
import { faultsOf } from "./operators.mjs";
import { probed } from "./probes.mjs";
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

it("no two faults have one id", () => {
  const ids = withOwnIds(["a", "b", "a", "a"].map((id) => ({ id }))).map(({ id }) => id);
  expect(ids).toEqual(["a", "b", "a:2", "a:3"]);
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

describe("a probe", () => {
  it.each([
    ["f(a + b);", "a +", "globalThis.letheMet?.(7);f(a + b);"],
    ["if (a) throw b;", "throw", "if (a) { globalThis.letheMet?.(7); throw b; }"],
    ["if (a) throw b;", "if", "globalThis.letheMet?.(7);if (a) throw b;"],
    ["const f = (x) => x * 2;", "2", "const f = (x) => (globalThis.letheMet?.(7), x * 2);"],
    ["const f = (x) => ({ x });", "x }", "const f = (x) => (globalThis.letheMet?.(7), ({ x }));"],
    ["for (const x of y) z += x;", "+=", "for (const x of y) { globalThis.letheMet?.(7); z += x; }"],
    ["switch (a) { case 1: b(2); }", "2", "switch (a) { case 1: globalThis.letheMet?.(7);b(2); }"],
    ["function f(a = 1) { return a; }", "1", "globalThis.letheMet?.(7);function f(a = 1) { return a; }"],
  ])("in %s at %j speaks before what the fault changes", (text, at, wanted) => {
    expect(probed("x.ts", text, [{ start: text.indexOf(at), number: 7 }])).toBe(wanted);
  });

  it("leaves a program that does the same and says what it reached", () => {
    const text = "const f = (x) => (x > 0 ? [x].map((y) => y + 1)[0] : 0);\nif (n < 0) n = -n;\nreturn f(n);";
    const faults = faultsOf("x.ts", text).map((fault, number) => ({ ...fault, number }));
    const met = new Set();
    const before = globalThis.letheMet;
    globalThis.letheMet = (number) => met.add(number);
    try {
      expect(new Function("n", probed("x.ts", text, faults))(3)).toBe(4);
    } finally {
      globalThis.letheMet = before;
    }
    const unmet = text.indexOf("n = -n");
    const isUnmet = ({ start }) => start >= unmet && start < unmet + "n = -n;".length;
    const missed = faults.filter(({ number }) => !met.has(number));
    expect(missed).toEqual(faults.filter(isUnmet));
    expect(missed.length).toBeGreaterThan(0);
  });
});

it("runs the nearest tests first, then the quick ones, then others in steps of a minute", () => {
  const seconds = { a: 50, b: 1, slow: 200, c: 20, d: 30, e: 40 };
  const files = ["a", "b", "slow", "c", "d", "e"];
  expect(stepsOf(files, 0, seconds)).toEqual([["a", "b"]]);
  expect(stepsOf(files, 1, seconds)).toEqual([["c", "d"]]);
  expect(stepsOf(files, 2, seconds)).toEqual([["e"], ["slow"]]);
  expect(stepsOf([], 0, seconds)).toEqual([]);
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
