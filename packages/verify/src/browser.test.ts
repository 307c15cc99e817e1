import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type Plugin } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import type { verifyRelease } from "./index.ts";
import { bySector } from "./testing/forgeries/forgery.ts";
import { sample, signer } from "./testing/people.ts";

const grammar = dirname(createRequire(import.meta.url).resolve("libpg-query"));
/** The modules of Node that each file asks for, as `file: module`. */
const asked: string[] = [];

/** PostgreSQL's grammar names two modules of Node in branches that only Node enters. A page's bundler is told so; nothing else may name one. */
const nodeless: Plugin = {
  name: "nodeless",
  setup(bundler) {
    bundler.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      const [, file] = /(?:node_modules|packages)\/(.*)$/.exec(importer) ?? [];
      asked.push(`${file}: ${path}`);
      return importer.startsWith(grammar) ? { path, namespace: "empty" } : null;
    });
    bundler.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "" }));
  },
};

let code: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./index.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "Verify",
    platform: "browser",
    conditions: ["source"],
    plugins: [nodeless],
    logLevel: "silent",
  });
  code = outputFiles[0]!.text;
});

/** The bundle's own `verifyRelease`, in a world that has what a page has and nothing of Node. */
function inPage(): typeof verifyRelease {
  const { atob, crypto, Response, TextDecoder, TextEncoder, URL } = globalThis;
  const wasm = readFileSync(join(grammar, "libpg-query.wasm"));
  const fetch = async (url: string) => {
    if (!String(url).endsWith("libpg-query.wasm")) throw new Error(`nothing lies at ${url}`);
    return new Response(wasm, { headers: { "content-type": "application/wasm" } });
  };
  const page = createContext({ atob, console, crypto, fetch, Response, TextDecoder, TextEncoder, URL });
  runInContext("globalThis.window = globalThis; globalThis.self = globalThis;", page);
  runInContext(code, page);
  return runInContext("Verify.verifyRelease", page) as typeof verifyRelease;
}

describe("a bundle for a browser", () => {
  it("asks for no module of Node, but for two that the grammar names and a page never reaches", () => {
    expect([...new Set(asked)].sort()).toEqual([
      "libpg-query/wasm/libpg-query.js: node:crypto",
      "libpg-query/wasm/libpg-query.js: node:fs",
    ]);
    expect(code).not.toMatch(/(?:from|import\(|require\()\s*["']node:/);
  });

  it("checks a release and its signature, and plans its question again", async () => {
    const { release, policy } = await sample(bySector);
    const given = { policyText: policy, publicKeyPem: signer.publicKey };
    const { checks } = await inPage()(JSON.stringify(release), given);
    expect(checks.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(checks.map(({ name }) => name)).toContain("question");
  });

  it("finds a release whose rows were changed, and one that another key signed", async () => {
    const { release } = await sample(bySector);
    const outcomeOf = async (name: string, json: string, publicKeyPem?: string) =>
      (await inPage()(json, publicKeyPem === undefined ? {} : { publicKeyPem })).checks.find(
        (check) => check.name === name,
      )?.outcome;
    const changed = { ...release, rows: release.rows.slice(1) };
    expect(await outcomeOf("rows", JSON.stringify(changed))).toBe("failed");
    const forged = { ...release, certificate: { ...release.certificate, principal: "mallory" } };
    expect(await outcomeOf("signature", JSON.stringify(forged))).toBe("failed");
    const other = signer.publicKey.replace(/.{4}=?\n-----END/, "AAA=\n-----END");
    expect(await outcomeOf("signer", JSON.stringify(release), other)).toBe("failed");
  });
});
