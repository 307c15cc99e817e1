import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type TestProjectConfiguration, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { localImports } from "./scripts/local-imports.ts";

/** Keeps to the order of LETHE_TEST_ORDER, paths from the root, one a line: with --bail a fault does not wait for slow files. */
class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (process.env.LETHE_TEST_ORDER ?? "").split("\n");
    const place = ({ moduleId }: TestSpecification): number =>
      order.findIndex((path) => moduleId.endsWith(`/${path}`));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

/** Yields every test file, as a path from the root. */
function* testFiles(folder: string): Iterable<string> {
  for (const entry of readdirSync(join(import.meta.dirname, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !["node_modules", "dist"].includes(entry.name)) yield* testFiles(path);
    else if (/\.test\.(ts|mjs)$/.test(entry.name)) yield path;
  }
}

/** Tells whether a test file replaces or reloads modules, which the files after it would meet too. */
const changesModules = (path: string): boolean =>
  /\bvi\s*\.(mock|doMock|resetModules)\(/.test(readFileSync(join(import.meta.dirname, path), "utf8"));

const files = ["packages", "apps", "testing", "scripts"].flatMap((folder) => [...testFiles(folder)]);
const apart = files.filter(changesModules);

/*
 * To load the modules anew for each file took about a third of the time. Files share them, but for those that change modules. Where it is
 * recorded which test meets which function, every file loads its own.
 */
const projects: TestProjectConfiguration[] = [
  { extends: true, test: { name: "apart", include: apart, isolate: true, sequence: { groupOrder: 0 } } },
  {
    extends: true,
    test: {
      name: "shared",
      include: files.filter((path) => !apart.includes(path)),
      isolate: process.env.LETHE_MET !== undefined,
      sequence: { groupOrder: 1 },
    },
  },
];

const config: ViteUserConfig = defineConfig({
  // Small functions of other modules are inlined, as they are in a build.
  plugins: [localImports()],
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    projects,
    globalSetup: ["scripts/kernels.mjs", "scripts/console.mjs", "scripts/console-worker.mjs"],
    // The sources that these packages name under the condition "source" are TypeScript, which Node does not load from node_modules.
    server: { deps: { inline: [/@modelcontextprotocol.client/, /node_modules.eventsource/] } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // What a test waits for comes late on a loaded machine: a second is too short.
    expect: { poll: { timeout: 60_000 } },
    // Vitest leaves one core to itself, which on a machine of two is half of it.
    maxWorkers: "100%",
    ...(process.env.LETHE_TEST_ORDER ? { sequence: { sequencer: GivenOrder } } : {}),
    ...(process.env.LETHE_MET ? { setupFiles: ["testing/mutants/random/met-setup.mjs"] } : {}),
    coverage: {
      provider: "v8",
      include: ["packages/**/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/src/testing/**"],
    },
  },
});

export default config;
