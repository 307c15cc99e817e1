import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPacked } from "@lethe/testing";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { peopleCsv } from "./testing/command-line.ts";

/* What a user gets by `npm install lethe`: the packed file in an empty project, with the dependencies that it declares and no others. */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "lethe-packed-"));
const bin = join(project, "node_modules/lethe/bin/lethe.mjs");
const manifestOf = (folder: string): { readonly dependencies: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
const { dependencies } = manifestOf("apps/cli");

const run = (program: string, ...words: string[]): string =>
  execFileSync(program, words, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const node = (...words: string[]): string => run(process.execPath, ...words);
/** A later Node than the oldest that is promised; .ci/run fetches one. */
const node22 = process.env.LETHE_NODE_22 ?? "";
const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

const asks = `
const lethe = await open("lethe.yaml");
const release = await lethe.query("SELECT COUNT(*) FROM people", { epsilon: 1 });
await lethe.close();
console.log(typeof release.rows[0]?.[0], release.certificate.version);
`;

/** Makes policy, ledger and snapshot anew. */
function setUp(program: (...words: string[]) => string): void {
  for (const made of ["lethe.yaml", ".lethe"]) rmSync(join(project, made), { recursive: true, force: true });
  const bounds = ["--bounds", "wage=0..60", "--categories", "sector=manufacturing,construction,other"];
  program(bin, "init", "people.csv", "--unit", "row", ...bounds);
  program(bin, "import", "people.csv");
}

beforeAll(() => {
  installPacked(project, "apps/cli");
  write("people.csv", peopleCsv);
  setUp(node);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the packed package", () => {
  it("needs nothing that is not on the registry, at the same versions as the packages that it is made of", () => {
    expect(Object.keys(dependencies).filter((name) => name.startsWith("@lethe/"))).toEqual([]);
    for (const folder of ["query", "ledger", "engines/duckdb", "engines/postgres"])
      for (const [name, version] of Object.entries(manifestOf(`packages/${folder}`).dependencies))
        if (!name.startsWith("@lethe/") && !name.startsWith("@pgsql/types"))
          expect([name, dependencies[name]]).toEqual([name, version]);
  });

  it("answers to import, to require and as a program", () => {
    write("ask.mjs", `import { open } from "lethe";${asks}`);
    expect(node("ask.mjs")).toBe("object 1\n");
    write("ask.cjs", `const { open } = require("lethe");(async () => {${asks}})();`);
    expect(node("ask.cjs")).toBe("object 1\n");
    // The question was the same, so it was paid for once.
    expect(node(bin, "budget")).toContain("spent    ε 1");
  });

  it("knows its errors by whichever way they came", () => {
    write(
      "errors.mjs",
      `import { createRequire } from "node:module";
      import { LetheError, open } from "lethe";
      const other = createRequire(import.meta.url)("lethe");
      const error = await open("absent.yaml").catch((error) => error);
      console.log(error.code, error instanceof LetheError, error instanceof other.LetheError, new Error("x") instanceof LetheError);`,
    );
    expect(node("errors.mjs")).toMatch(/^[a-z.-]+ true true false\n$/);
  });

  it("has types that a strict project reads without skipping any, as a module and as CommonJS", () => {
    const typed = `import { LetheError, open, type Release, verifyRelease } from "lethe";
      export async function ask(): Promise<Release> {
        const lethe = await open("lethe.yaml");
        return lethe.query("SELECT COUNT(*) FROM people", { epsilon: "1/2", requestId: "a" });
      }
      export const check = verifyRelease;
      export const code = (error: unknown): string => (error instanceof LetheError ? error.code : "none");
      // @ts-expect-error: no such option
      export const wrong = async (): Promise<Release> => (await open()).query("SELECT 1", { epsilonn: 1 });
    `;
    write("typed.mts", typed);
    write("typed.cts", typed);
    const options = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022"],
      types: [],
      noEmit: true,
    };
    write("tsconfig.json", JSON.stringify({ compilerOptions: options, files: ["typed.mts", "typed.cts"] }));
    expect(node(join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json")).toBe("");
  });

  it("goes into one file of esbuild's, but for what is native or finds its files beside itself", async () => {
    write("bundled.mjs", `import { open } from "lethe";(async () => {${asks}})();`);
    const external = [
      "@duckdb/node-api",
      "@duckdb/node-bindings",
      "@photostructure/sqlite",
      "libpg-query",
      "pg",
    ];
    const outfile = join(project, "bundle.cjs");
    await build({
      entryPoints: [join(project, "bundled.mjs")],
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      external,
      logLevel: "silent",
    });
    expect(node(outfile)).toBe("object 1\n");
  });
});

if (node22 === "") console.log("skipped: no Node 22 (LETHE_NODE_22 names none; .ci/run fetches one)");

describe.skipIf(node22 === "")("the packed package on Node 22", () => {
  const later = (...words: string[]): string => run(node22, ...words);

  it("is asked about a CSV from init to verify, by its program and by import", () => {
    expect(later("--version")).toMatch(/^v22\./);
    setUp(later);
    const question = "SELECT sector, AVG(wage) FROM people GROUP BY sector";
    expect(later(bin, "query", question, "--epsilon", "1", "--out", "release.json")).toMatch(/^other +\d/m);
    const given = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const checks = later(bin, "verify", "release.json", ...given);
    for (const name of ["signature", "price", "question"])
      expect(checks).toMatch(new RegExp(`^ok +${name} `, "m"));
    write("later.mjs", `import { open } from "lethe";${asks}`);
    expect(later("later.mjs")).toBe("object 1\n");
    expect(later(bin, "budget")).toContain("spent    ε 2");
    // The other Node reads the same ledger.
    expect(node(bin, "ledger", "verify")).toContain("every hash, sum and cap holds");
  });
});
