import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { circles } from "./house/circles.mjs";
import { docComments, isFragment } from "./house/comments.mjs";
import { readModule } from "./house/read-module.mjs";

/** Nodes that lie on some closed walk, by plain reachability. */
function onCircle(edges) {
  const reach = (from) => {
    const seen = new Set();
    const todo = [...edges.get(from)];
    while (todo.length > 0) {
      const node = todo.pop();
      if (seen.has(node)) continue;
      seen.add(node);
      todo.push(...edges.get(node));
    }
    return seen;
  };
  return [...edges.keys()].filter((node) => reach(node).has(node)).sort();
}

describe("circles", () => {
  const graph = fc
    .array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 8, maxLength: 8 })
    .map((lists) => new Map(lists.map((list, node) => [String(node), list.map(String)])));

  it("finds exactly the nodes that reach themselves", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        expect(circles(edges).flat().sort()).toEqual(onCircle(edges));
      }),
    );
  });
});

describe("readModule", () => {
  const facts = (text) => readModule("a.ts", text);

  it("sees every form of import, with the names as they are called at home", () => {
    const text = [
      'import a, { b as c, type D } from "./1.ts";',
      'import * as e from "./2.ts";',
      'import "./3.ts";',
      'export { f as g } from "./4.ts";',
      'export * from "./5.ts";',
      'const h = await import("./6.ts");',
      'type I = import("./7.ts").I;',
      'export type { J } from "./8.ts";',
    ].join("\n");
    expect(facts(text).imports).toEqual([
      { specifier: "./1.ts", names: ["default", "b", "D"], line: 1 },
      { specifier: "./2.ts", names: null, line: 2 },
      { specifier: "./3.ts", names: [], line: 3 },
      { specifier: "./4.ts", names: ["f"], line: 4 },
      { specifier: "./5.ts", names: null, line: 5 },
      { specifier: "./6.ts", names: null, line: 6 },
      { specifier: "./7.ts", names: null, line: 7 },
      { specifier: "./8.ts", names: ["J"], line: 8 },
    ]);
  });

  it.each([
    ["const x = f as any;", ["any"]],
    ["const x = Math.random;", ["Math.random"]],
    ["const x = new Date(0);", []],
    ["const x = new Date();", ["new Date()"]],
    ["const x = Date();", ["Date()"]],
    ["const x = node.crypto;", []],
    ["const x = { crypto: 1 };", []],
    ["const x = globalThis.crypto.subtle;", ["crypto"]],
    ["// any Math.random() crypto", []],
    ['const x = "Date.now() any";', []],
  ])("%s", (text, expected) => {
    expect(facts(text).uses.map(({ what }) => what)).toEqual(expected);
  });

  it("counts lines", () => {
    expect([facts("").lines, facts("a\n").lines, facts("a\nb").lines]).toEqual([1, 1, 2]);
  });
});

describe("doc comments", () => {
  it("are fragments where they do not open with their subject", () => {
    const text = [
      "/** What is left. */",
      "/**",
      " * Of each row its group.",
      " */",
      "/** The group of each row: what it is of. */",
      "// What a plain comment says does not count.",
      "/** δ at an ε. */",
    ].join("\n");
    const comments = docComments(text);
    expect(comments.map(({ line }) => line)).toEqual([1, 2, 5, 7]);
    expect(comments.map(isFragment)).toEqual([true, true, false, false]);
  });
});
