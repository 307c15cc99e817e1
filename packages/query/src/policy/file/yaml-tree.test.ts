import { describe, expect, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { FileKind } from "./file-kind.ts";
import { readYaml as readYamlOf, type YamlTree } from "./yaml-tree.ts";

const policy: FileKind = {
  noun: "policy",
  unreadable: "policy.unreadable",
  invalid: "policy.invalid",
  exactSections: new Set(["budget", "defaults"]),
};
const readYaml = (text: string): YamlTree => readYamlOf(text, policy);

const refused = async (text: string): Promise<readonly unknown[]> => {
  const { code, message, fix, fields } = await refusalOf((async () => readYaml(text))());
  expect(code).toBe("policy.unreadable");
  return [message, fix, fields];
};

describe("a document", () => {
  test("is plain data, in which numbers of the budget stay as they are written", () => {
    const text =
      "a: [1, 2.50, true, null, x, '1']\nbudget: { epsilon: 0.10, b: [1e-6] }\ndefaults: { delta: .5 }\n";
    expect(readYaml(text).data).toEqual({
      a: [1, 2.5, true, null, "x", "1"],
      budget: { epsilon: "0.10", b: ["1e-6"] },
      defaults: { delta: ".5" },
    });
    // Only where they stand at the top.
    expect(readYaml("a: { budget: { epsilon: 0.10 } }").data).toEqual({ a: { budget: { epsilon: 0.1 } } });
    expect(readYaml("").data).toBeNull();
    expect(readYaml("a:").data).toEqual({ a: null });
  });

  test("takes keys as they are written", () => {
    expect(readYaml("{ 2020: x, 1.0: y, true: z }").data).toEqual({ "2020": "x", "1.0": "y", true: "z" });
  });

  test("knows where each of its values begins, counted from 1", () => {
    const tree = readYaml("a:\n  b: [x, y]\n  c: 1\nd: 2\n");
    expect(tree.place(["a"])).toEqual({ line: 1, column: 1 });
    expect(tree.place(["a", "b"])).toEqual({ line: 2, column: 3 });
    expect(tree.place(["a", "b", 0])).toEqual({ line: 2, column: 7 });
    expect(tree.place(["a", "b", "1"])).toEqual({ line: 2, column: 10 });
    expect(tree.place(["a", "c"])).toEqual({ line: 3, column: 3 });
    expect(tree.place(["d"])).toEqual({ line: 4, column: 1 });
  });

  test("gives for a place that is not there the nearest around it", () => {
    const tree = readYaml("a:\n  b: [x, y]\n");
    expect(tree.place(["a", "b", 7, "c"])).toEqual({ line: 2, column: 3 });
    expect(tree.place(["a", "z"])).toEqual({ line: 1, column: 1 });
    expect(tree.place(["z"])).toEqual({ line: 1, column: 1 });
    expect(tree.place([])).toEqual({ line: 1, column: 1 });
  });
});

describe("a document is refused", () => {
  test.each(["x: 1\ny: &a 1", "x: 1\ny: *a", "x: 1\ny: &a [1]", "x: 1\ny: &a { b: 1 }"])(
    "with an anchor or an alias: %j",
    async (text) => {
      const [message, fix, fields] = await refused(text);
      expect(message).toMatch(/^line 2: /);
      expect(fields).toEqual({ line: 2 });
      if (!text.includes("*"))
        expect([message, fix]).toEqual([
          "line 2: a policy uses no anchors and aliases",
          "write the value out",
        ]);
    },
  );

  test("with a key that is no plain text, or that is no key at all", async () => {
    expect(await refused("a: 1\nb:\n  ? [1]\n  : 2")).toEqual([
      "line 3: a key must be a plain text",
      "write key: value",
      { line: 3 },
    ]);
    expect(await refused("a: 1\nb:\n  __proto__: 2")).toEqual([
      'line 3: "__proto__" cannot be a name',
      "choose another name",
      { line: 3 },
    ]);
  });

  test("that is no YAML, at its line", async () => {
    for (const text of ["a: 1\nb: [1\n", "a: 1\na: 2", "a: 1\nb: !!js/function x", "a: 1\n---\nb: 2"]) {
      const [message, fix, fields] = await refused(text);
      expect(message).toMatch(/^line \d: this is not the YAML of a policy: [^\n]+$/);
      expect(fix).toBe(
        "correct the YAML at that line (indent with spaces, write `key: value`, each key once)",
      );
      expect((fields as { line: number }).line).toBeGreaterThanOrEqual(2);
    }
  });

  test("beyond 1 MiB, and not at 1 MiB", async () => {
    const text = `a: 1 #${"x".repeat(2 ** 20 - 6)}`;
    expect(text.length).toBe(2 ** 20);
    expect(readYaml(text).data).toEqual({ a: 1 });
    expect(await refused(`${text}x`)).toEqual([
      "the policy is longer than 1 MiB",
      "split it, or shorten its lists",
      {},
    ]);
  });
});
