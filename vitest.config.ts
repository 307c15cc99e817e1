import { defineConfig, type ViteUserConfig } from "vitest/config";

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
    coverage: {
      provider: "v8",
      include: ["packages/**/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/src/testing/**"],
    },
  },
});

export default config;
