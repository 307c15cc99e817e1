import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { peopleCsv } from "./testing/command-line.ts";

/* What a user gets by `npm install lethe`: the packed file in an empty project, with the dependencies that it declares and no others. */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "lethe-packed-"));
const installed = join(project, "node_modules", "lethe");
const manifestOf = (folder: string): { readonly dependencies: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
const { dependencies } = manifestOf("apps/cli");

const run = (program: string, ...words: string[]): string =>
  execFileSync(program, words, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const node = (...words: string[]): string => run(process.execPath, ...words);
const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

const asks = `
const lethe = await open("lethe.yaml");
const release = await lethe.query("SELECT COUNT(*) FROM people", { epsilon: 1 });
await lethe.close();
console.log(typeof release.rows[0]?.[0], release.certificate.version);
`;

beforeAll(() => {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", project], {
    cwd: join(root, "apps/cli"),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }];
  mkdirSync(installed, { recursive: true });
  run("tar", "-xzf", filename, "-C", installed, "--strip-components=1");
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(project, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  write("people.csv", peopleCsv);
  const words = [
    "--unit",
    "row",
    "--bounds",
    "wage=0..60",
    "--categories",
    "sector=manufacturing,construction,other",
  ];
  node(join(installed, "bin/lethe.mjs"), "init", "people.csv", ...words);
  node(join(installed, "bin/lethe.mjs"), "import", "people.csv");
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
    expect(node(join(installed, "bin/lethe.mjs"), "budget")).toContain("spent    ε 2");
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
