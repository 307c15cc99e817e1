import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { namesLeaving } from "./house/measures.mjs";
import { houseOf, readHouse } from "./house/read-sources.mjs";
import { breaches, edgesOf } from "./house/rules.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const entry = (source) => ({ ".": { source } });
const manifests = new Map([
  [
    "packages/core",
    { name: "@lethe/core", exports: { ...entry("./src/index.ts"), "./tape": { source: "./src/tape.ts" } } },
  ],
  ["packages/query", { name: "@lethe/query", exports: entry("./src/index.ts"), dependencies: { zod: "4" } }],
  ["packages/ledger", { name: "@lethe/ledger", exports: entry("./src/index.ts") }],
  ["packages/gateway", { name: "@lethe/gateway", exports: entry("./src/index.ts") }],
  ["packages/serve", { name: "@lethe/serve", exports: entry("./src/index.ts") }],
  ["packages/audit", { name: "@lethe/audit", exports: entry("./src/index.ts") }],
  ["apps/server", { name: "@lethe/server", exports: entry("./src/index.ts") }],
  ["packages/verify", { name: "@lethe/verify", exports: entry("./src/index.ts") }],
  ["packages/engines/duckdb", { name: "@lethe/engine-duckdb", exports: entry("./src/index.ts") }],
  ["apps/cli", { name: "lethe", exports: entry("./src/index.ts") }],
  ["testing", { name: "@lethe/testing", exports: entry("./src/index.ts") }],
]);
const empty = [...manifests.keys()].map((folder) => [`${folder}/src/index.ts`, ""]);
const shell = [
  ...empty,
  ["packages/core/src/tape.ts", ""],
  ["packages/core/src/exact/exact.ts", ""],
  ["packages/core/src/mechanisms/laplace.ts", ""],
  ["packages/core/src/accountants/fold.ts", ""],
  ["packages/core/src/numeric/rational.ts", ""],
  ["packages/query/src/testing/sample.ts", ""],
];

/** The rules broken when these files are added to an otherwise empty house. */
const broken = (files) =>
  breaches(houseOf(new Map([...shell, ...Object.entries(files)]), manifests)).map(({ rule }) => rule);

describe("the house", () => {
  const house = readHouse(root);
  it("is read at all", () => {
    expect(edgesOf(house).filter(({ target }) => target.path).length).toBeGreaterThan(50);
  });
  it("breaks none of its own import rules", () => {
    expect(breaches(house)).toEqual([]);
  });
  it("imports only names that are there, also in scripts, which no compiler reads", () => {
    const named = edgesOf(house).filter(
      ({ from, names, target }) => from.endsWith(".mjs") && names && /\.(?:ts|mjs)$/.test(target.path ?? ""),
    );
    expect(named.length).toBeGreaterThan(100);
    const missing = named.flatMap(({ from, names, specifier, target }) => {
      const there = namesLeaving(target.path, house);
      return names
        .filter((name) => name !== "default" && !there.has(name))
        .map((name) => `${from}: ${specifier} has no ${name}`);
    });
    expect(missing).toEqual([]);
  });
});

describe("the import rules can fail", () => {
  it("accept an empty house, and the edges that are meant to be", () => {
    expect(broken({})).toEqual([]);
    expect(
      broken({
        "packages/core/src/index.ts":
          'export * from "./mechanisms/laplace.ts";\nexport * from "./accountants/fold.ts";',
        "packages/core/src/mechanisms/open.ts": 'import { unseal } from "../exact/exact.ts";',
        "packages/core/src/entropy/secure.ts": "export const source = globalThis.crypto;",
        "packages/core/src/samplers/coin.test.ts": 'import { tape } from "../tape.ts";\nMath.random();',
        "packages/query/src/a.ts": 'import { z } from "zod";\nimport type { Rational } from "@lethe/core";',
        "packages/engines/duckdb/src/a.test.ts": 'import { unseal } from "../../../core/src/exact/exact.ts";',
        "packages/core/src/numeric/b.test.ts": 'import "../../../../testing/src/index.ts";',
        "packages/ledger/src/hash.ts": 'import { verify } from "node:crypto";',
        "packages/serve/src/people/hash.ts":
          'import { createHash, timingSafeEqual } from "node:crypto";\nimport "@lethe/gateway";',
        "packages/serve/src/door.ts": 'import { answer } from "@lethe/gateway";\nimport "@lethe/ledger";',
        "apps/server/src/thread.ts": 'import { Worker } from "node:worker_threads";\nimport "@lethe/serve";',
        "apps/cli/src/clock.ts": 'import { open } from "@lethe/engine-duckdb";\nDate.now();',
        "packages/ledger/src/comment.ts": '// Date.now() and any\nconst text = "Math.random()";',
      }),
    ).toEqual([]);
  });

  it.each([
    [
      "packages/core/src/mechanisms/a.ts",
      'import "../accountants/fold.ts";',
      /core\/mechanisms must not import core\/accountants/,
    ],
    [
      "packages/core/src/accountants/a.ts",
      'import "../mechanisms/laplace.ts";',
      /core\/accountants must not import core\/mechanisms/,
    ],
    [
      "packages/gateway/src/a.ts",
      'import "@lethe/serve";',
      /packages\/gateway must not import packages\/serve/,
    ],
    [
      "packages/serve/src/a.ts",
      'import "@lethe/engine-duckdb";',
      /packages\/serve must not import packages\/engines\/duckdb/,
    ],
    ["packages/serve/src/a.ts", 'import { Worker } from "node:worker_threads";', /must not use node:/],
    ["packages/serve/src/a.ts", "Date.now();", /outside apps/],
    [
      "packages/core/src/numeric/a.ts",
      'import type { Loss } from "../mechanisms/laplace.ts";',
      /core\/numeric must not/,
    ],
    ["packages/core/src/numeric/a.ts", 'export * from "../index.ts";', /wiring/],
    [
      "packages/query/src/parse/a.ts",
      'import "../grid/b.ts";',
      /query\/parse must not import query\/grid, which lies above it/,
      { "packages/query/src/grid/b.ts": "" },
    ],
    [
      "packages/query/src/resolve/names/a.ts",
      'import "../from/tables/b.ts";',
      /query\/resolve\/names must not import query\/resolve\/from\/tables/,
      { "packages/query/src/resolve/from/tables/b.ts": "" },
    ],
    [
      "packages/query/src/grid/a.ts",
      'export * from "../index.ts";',
      /grid must not import the package's wiring/,
    ],
    [
      "packages/query/src/newcomer/a.ts",
      'import "../grid/b.ts";',
      /packages\/query has no floor for newcomer/,
      { "packages/query/src/grid/b.ts": "" },
    ],
    ["packages/core/src/newcomer/a.ts", 'import "../numeric/rational.ts";', /core has no floor for newcomer/],
    ["packages/core/src/numeric/a.ts", 'import { hash } from "node:crypto";', /must not use node:crypto/],
    ["packages/core/src/numeric/a.ts", 'import zod from "zod";', /must not depend on zod/],
    ["packages/core/src/numeric/a.ts", 'import "@lethe/query";', /must not import packages\/query/],
    ["packages/core/src/numeric/a.test.ts", 'import "@lethe/query";', /core's tests/],
    ["packages/query/src/a.test.ts", 'import "../../core/src/numeric/rational.ts";', /by path/],
    [
      "packages/core/src/index.ts",
      'export { unseal } from "./exact/exact.ts";',
      /only core\/mechanisms may import unseal/,
    ],
    [
      "packages/core/src/index.ts",
      'export * from "./exact/exact.ts";',
      /only core\/mechanisms may import unseal/,
    ],
    [
      "packages/core/src/index.ts",
      'import * as exact from "./exact/exact.ts";',
      /only core\/mechanisms may import unseal/,
    ],
    ["packages/gateway/src/a.ts", 'import { unseal } from "../../core/src/exact/exact.ts";', /by path/],
    ["packages/core/src/numeric/a.ts", "const c = globalThis.crypto;", /only core\/entropy names crypto/],
    [
      "packages/core/src/samplers/a.ts",
      "const c = crypto.getRandomValues(x);",
      /only core\/entropy names crypto/,
    ],
    ["packages/core/src/samplers/a.ts", 'import { tape } from "../tape.ts";', /bit tape/],
    ["packages/core/src/index.ts", 'export * from "./tape.ts";', /bit tape/],
    ["packages/gateway/src/a.ts", 'import { tape } from "@lethe/core/tape";', /bit tape/],
    [
      "packages/query/src/a.ts",
      'import "@lethe/ledger";',
      /packages\/query must not import packages\/ledger/,
    ],
    [
      "packages/ledger/src/a.ts",
      'const q = await import("@lethe/query");',
      /packages\/ledger must not import packages\/query/,
    ],
    [
      "packages/gateway/src/a.ts",
      'import "@lethe/engine-duckdb";',
      /must not import packages\/engines\/duckdb/,
    ],
    [
      "packages/gateway/src/a.ts",
      'import { openSqliteLedger } from "@lethe/ledger";',
      /must not know openSqliteLedger/,
    ],
    ["packages/gateway/src/a.ts", 'import "@lethe/serve";', /must not import packages\/serve/],
    ["packages/audit/src/a.ts", 'import "@lethe/serve";', /must not import packages\/serve/],
    [
      "packages/serve/src/a.ts",
      'import "@lethe/engine-duckdb";',
      /must not import packages\/engines\/duckdb/,
    ],
    ["packages/serve/src/a.ts", 'import "@lethe/verify";', /must not import packages\/verify/],
    [
      "packages/serve/src/a.ts",
      'import { openSqliteStore } from "@lethe/ledger";',
      /must not know openSqliteStore/,
    ],
    [
      "packages/serve/src/a.ts",
      'import { readFile } from "node:fs/promises";',
      /must not use node:fs\/promises/,
    ],
    ["packages/serve/src/a.ts", 'import { connect } from "node:net";', /must not use node:net/],
    ["packages/serve/src/a.ts", 'import { randomBytes } from "node:crypto";', /must not draw/],
    ["packages/serve/src/a.ts", 'import * as crypto from "node:crypto";', /must not draw/],
    ["packages/serve/src/a.ts", 'import crypto from "node:crypto";', /must not draw/],
    [
      "packages/serve/src/limits/a.ts",
      'import "../people/b.ts";',
      /must not import serve\/people/,
      { "packages/serve/src/people/b.ts": "" },
    ],
    ["packages/gateway/src/a.ts", 'type E = import("lethe").Lethe;', /must not import apps\/cli/],
    [
      "packages/verify/src/a.ts",
      'import "@lethe/gateway";',
      /packages\/verify must not import packages\/gateway/,
    ],
    ["packages/verify/src/a.ts", 'import { verify } from "node:crypto";', /must not use node:crypto/],
    ["packages/query/src/a.ts", 'import { x } from "libpg-query";', /does not declare libpg-query/],
    ["packages/query/src/a.ts", 'import "@lethe/testing";', /only tests may import testing/],
    ["packages/query/src/a.ts", 'import "./testing/sample.ts";', /made for tests/],
    ["packages/query/src/a.ts", 'import "./gone.ts";', /leads to no source file/],
    ["packages/query/src/a.ts", "const x = Math.random();", /Math\.random outside apps/],
    ["packages/query/src/a.ts", "const x = Date.now();", /Date\.now outside apps/],
    ["packages/query/src/a.ts", "const x = new Date();", /new Date\(\) outside apps/],
    ["packages/query/src/a.ts", "const x: any = 1;", /`any`/],
    ["packages/query/src/a.ts", 'import "./a.ts";', /circle/],
  ])("%s: %s", (path, text, rule, others = {}) => {
    expect(broken({ ...others, [path]: text })).toContainEqual(expect.stringMatching(rule));
  });

  it("let a room's index show what lies inside it, and nothing above the room", () => {
    const inside = { "packages/query/src/plan/checks/a.ts": "", "packages/query/src/explain/b.ts": "" };
    const index = "packages/query/src/plan/index.ts";
    expect(broken({ ...inside, [index]: 'export * from "./checks/a.ts";' })).toEqual([]);
    expect(broken({ ...inside, [index]: 'export * from "../explain/b.ts";' })).toEqual([
      "query/plan must not import query/explain, which lies above it",
    ]);
  });

  it("find a folder of more than 20 source files, tests aside", () => {
    const named = (count, suffix) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`packages/query/src/grid/file-${at}${suffix}`, ""]),
      );
    expect(broken({ ...named(20, ".ts"), ...named(9, ".test.ts") })).toEqual([]);
    expect(broken(named(21, ".ts"))).toEqual(["packages/query/src/grid holds 21 source files: at most 20"]);
  });

  it("find a circle through three files, once", () => {
    const found = broken({
      "packages/query/src/a.ts": 'import "./b.ts";',
      "packages/query/src/b.ts": 'import type { C } from "./c.ts";',
      "packages/query/src/c.ts": 'export * from "./a.ts";',
    });
    expect(found).toEqual([
      "imports go in a circle: packages/query/src/a.ts ↔ packages/query/src/b.ts ↔ packages/query/src/c.ts",
    ]);
  });

  it("find a second file that names crypto", () => {
    const found = broken({
      "packages/core/src/entropy/a.ts": "export const a = crypto;",
      "packages/core/src/entropy/b.ts": "export const b = globalThis.crypto;",
    });
    expect(found).toEqual(["one file of core/entropy names crypto, not 2"]);
  });
});
