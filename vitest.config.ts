import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs files first that were quick when they last ran: with --bail a fault does not wait for slow ones. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
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
    // Vitest's own order begins with the slowest.
    ...(process.env.LETHE_QUICK_FIRST ? { sequence: { sequencer: QuickFirst } } : {}),
    coverage: {
      provider: "v8",
      include: ["packages/**/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/src/testing/**"],
    },
  },
});

export default config;
