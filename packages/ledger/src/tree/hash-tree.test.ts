import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../records/record-hash.ts";
import { emptyRoot, type HashTree, readAll, readKey, writeKeys } from "./hash-tree.ts";

/** A tree in memory that texts are put into, some at a time. */
function grown(steps: readonly (readonly (readonly [string, string])[])[]) {
  const nodes = new Map<string, string>();
  let root = emptyRoot;
  const tree = (): HashTree => ({ root, node: (path) => nodes.get(path) ?? null });
  for (const step of steps) {
    const written = writeKeys(tree(), new Map(step));
    for (const [path, node] of written.nodes) nodes.set(path, node);
    root = written.root;
  }
  return { nodes, tree: tree() };
}

const pairs = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 40 });

describe("a tree of hashes", () => {
  it("is the map that was put into it, whole and key by key", () => {
    fc.assert(
      fc.property(fc.array(pairs, { maxLength: 6 }), fc.string(), (steps, other) => {
        const map = new Map(steps.flat());
        const { tree } = grown(steps);
        for (const [key, text] of map) expect(readKey(tree, key)).toBe(text);
        expect(readKey(tree, other)).toBe(map.get(other) ?? null);
        expect([...readAll(tree)].sort()).toEqual([...map.values()].sort());
      }),
    );
  });

  it("has one root and one set of nodes, however the map came about", () => {
    fc.assert(
      fc.property(fc.array(pairs, { maxLength: 6 }), (steps) => {
        const map = new Map(steps.flat());
        const [slowly, atOnce] = [grown(steps), grown([[...map].reverse()])];
        expect(atOnce.tree.root).toBe(slowly.tree.root);
        expect(atOnce.nodes).toEqual(slowly.nodes);
      }),
    );
  });

  it("has another root for another text under a key", () => {
    const root = (text: string): string =>
      grown([
        [
          ["a", text],
          ["b", "2"],
        ],
      ]).tree.root;
    expect(root("1")).not.toBe(root("2"));
    expect(root("1")).toBe(root("1"));
  });

  it("finds any node that was changed, removed, moved or put back as it was before", () => {
    const first = Array.from({ length: 60 }, (_, at) => [`k${at}`, `v${at}`] as const);
    const { nodes: before } = grown([first]);
    const { nodes, tree } = grown([first, first.map(([key]) => [key, "new"] as const)]);
    for (const [path, node] of nodes) {
      const others = [null, `${node} `, before.get(path) ?? "", nodes.get(path === "" ? "0" : "") ?? ""];
      for (const other of others) {
        const spoilt: HashTree = { ...tree, node: (at) => (at === path ? other : (nodes.get(at) ?? null)) };
        expect(() => [...readAll(spoilt)], path).toThrow(/of a scope are not those of the last record/);
      }
    }
    const restored: HashTree = { ...tree, node: (at) => before.get(at) ?? null };
    expect(() => readKey(restored, "k7")).toThrow(/are not those of the last record/);
    expect(() => writeKeys(restored, new Map([["k7", "w"]]))).toThrow(/are not those of the last record/);
  });

  it("touches as many nodes as the logarithm of its keys", () => {
    const touched = (size: number): number => {
      const { tree } = grown([Array.from({ length: size }, (_, at) => [`analyst ${at}`, "0"] as const)]);
      return Math.max(
        ...Array.from(
          { length: 50 },
          (_, at) => writeKeys(tree, new Map([[`analyst ${at % size}`, "1"]])).nodes.size,
        ),
      );
    };
    expect(touched(10)).toBeLessThanOrEqual(5);
    expect(touched(5000)).toBeLessThanOrEqual(8);
    expect(touched(20_000)).toBeLessThanOrEqual(9);
  });

  it("tells a leaf from a branch by its first letter, so that neither can be read as the other", () => {
    const { nodes } = grown([
      [
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
      ],
    ]);
    expect(new Set([...nodes.values()].map((node) => node[0]))).toEqual(new Set(["L", "B"]));
    expect(sha256(nodes.get("") ?? "")).not.toBe(emptyRoot);
  });
});
