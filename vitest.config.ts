import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Keeps to the order of LETHE_TEST_ORDER, paths from the root, one a line: with --bail a fault does not wait for slow files. */
class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (process.env.LETHE_TEST_ORDER ?? "").split("\n");
    const place = ({ moduleId }: TestSpecification): number =>
      order.findIndex((path) => moduleId.endsWith(`/${path}`));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

const config: ViteUserConfig = defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["{packages,apps,testing,scripts}/**/*.test.{ts,mjs}"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
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
