import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";
import { elementAt } from "@lethe/core/numeric";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, openVisitor } from "../../../../testing/src/browser/chromium.ts";

/** For every network, the sums of some units as text. */
const program = `
  import { openExact } from "@lethe/core/tape";
  import { openGradients } from "./open-gradients.ts";
  import { openOutputs } from "./open-outputs.ts";
  import { made } from "./testing/made-rows.ts";
  import { cnn, smallNetworks } from "./testing/networks.ts";
  export async function sums() {
    const found = [];
    for (const network of [...Object.values(smallNetworks), cnn]) {
      const { rows, weights } = made(network, [1, 1, 2, 1, 5, 1, 1], 12);
      const gradients = await openGradients({ network, rows });
      for (const clip of [0.01, 1e6])
        found.push([...openExact(gradients.sum(weights, Uint32Array.of(6, 0, 1, 2, 3, 4), clip)).sums].join());
      found.push([...(await openOutputs(network)).outputs(weights, rows.inputs)].join());
    }
    return found;
  }
`;

let code = "";
let names: readonly string[] = [];
beforeAll(async () => {
  const built = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "Kernels",
    conditions: ["source"],
  });
  code = elementAt(built.outputFiles, 0).text;
  names = Object.keys(built.metafile.inputs);
});

interface Page {
  readonly Kernels: { sums(): Promise<readonly string[]> };
}

describe("kernels in a page", () => {
  it("need no module of Node", () => {
    expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\./);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => name.includes("node_modules"))).toEqual([]);
  });

  it.skipIf(chromiumPath === null)("sum to the same integers in Chromium as in Node", async () => {
    const visitor = await openVisitor(chromiumPath ?? "", "'self' 'wasm-unsafe-eval'");
    try {
      const page = await visitor.visit(code);
      const there = await page.evaluate(() => (globalThis as unknown as Page).Kernels.sums());
      const here = await (runInThisContext(`${code};Kernels`) as Page["Kernels"]).sums();
      expect(there).toEqual(here);
      expect(there.length).toBe(24);
      expect(new Set(there).size).toBe(24);
    } finally {
      await visitor.close();
    }
  });
});
