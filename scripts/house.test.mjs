import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { circles } from "./house/circles.mjs";
import { docComments, isFragment } from "./house/comments.mjs";
import {
  fullestFolders,
  longestChain,
  namesLeaving,
  publicNames,
  smearedOver,
  sourcesOf,
} from "./house/measures.mjs";
import { readModule } from "./house/read-module.mjs";
import { houseOf } from "./house/read-sources.mjs";

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
      "/**",
      " * What is left.",
      " */",
      "/**",
      " * Of each row its group.",
      " */",
      "/** The group of each row: what it is of. */",
      "// What a plain comment says does not count.",
      "/** δ at an ε. */",
    ].join("\n");
    const comments = docComments(text);
    expect(comments.map(({ line }) => line)).toEqual([1, 4, 7, 9]);
    expect(comments.map(isFragment)).toEqual([true, true, false, false]);
  });
});

describe("the measures of the house", () => {
  const manifests = new Map([
    ["packages/query", { name: "@lethe/query", exports: { ".": { source: "./src/index.ts" } } }],
  ]);
  const at = (path) => `packages/query/src/${path}`;
  const house = (files) =>
    houseOf(new Map(Object.entries(files).map(([path, text]) => [at(path), text])), manifests);

  it("find the longest chain of imports, tests aside", () => {
    const files = {
      "a.ts": 'import "./b.ts"; import "./d.ts";',
      "b.ts": 'import type { D } from "./c.ts";',
      "c.ts": 'export * from "./d.ts";',
      "d.ts": "",
      "a.test.ts": 'import "./a.ts";',
    };
    expect(longestChain(house(files))).toEqual(["a.ts", "b.ts", "c.ts", "d.ts"].map(at));
  });

  it("count each public name once, through modules that are passed on whole", () => {
    const files = {
      "index.ts": 'export * from "./a.ts";\nexport { b as c, type D } from "./b.ts";\nexport function e() {}',
      "a.ts": "export const f = 1, g = 2;\nexport interface D {}\nconst hidden = 3;",
      "b.ts": "export const b = 1;",
    };
    expect([...namesLeaving(at("index.ts"), house(files))].sort()).toEqual(["D", "c", "e", "f", "g"]);
    expect(publicNames(house(files))).toEqual([["packages/query", ".", 5]]);
  });

  it("find who holds a name that a folder owns", () => {
    const files = {
      "aggregates/avg.ts": 'const a = "avg";',
      "aggregates/registry.ts": 'const a = "avg";',
      "plan/a.ts": 'type A = "avg" | "sum";',
      "plan/b.ts": "// avg",
      "plan/a.test.ts": 'const a = "avg";',
    };
    const owns = (path) => path.startsWith(at("aggregates/"));
    expect(smearedOver(house(files), "avg", owns)).toEqual([at("plan/a.ts")]);
  });

  it("count the folders' sources and the assertions that something is there", () => {
    const files = {
      "grid/a.ts": "const a = b[0]!; const c = d! + e!.f;",
      "grid/a.test.ts": "a!;",
      "b.ts": "!a; a !== b;",
    };
    expect(fullestFolders(house(files))).toEqual([
      ["packages/query/src", 1],
      ["packages/query/src/grid", 1],
    ]);
    expect(sourcesOf(house(files)).map(({ assertions }) => assertions)).toEqual([3, 0]);
  });
});
