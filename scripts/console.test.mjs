import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("is built for production, whoever builds it: it holds no path of the machine", () => {
  const page = readFileSync(new URL("../apps/server/src/page/page.generated.ts", import.meta.url), "utf8");
  expect(page.length).toBeGreaterThan(100_000);
  expect(page).not.toContain("lineNumber:");
  expect(page).not.toContain("apps/console/src");
});
