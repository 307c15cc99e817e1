import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { proves } from "../apps/console/src/screens/release/proves.ts";

it("has words for each check that @lethe/verify makes, and for no other", () => {
  const folder = new URL("../packages/verify/src/", import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes(".test.") && !name.startsWith("testing"))
    .flatMap((name) =>
      [...readFileSync(new URL(name, folder), "utf8").matchAll(/\bcheck\(\s*"([a-z-]+)"/g)].map(
        ([, found]) => found,
      ),
    );
  expect(new Set(names).size).toBeGreaterThan(30);
  expect([...new Set(names)].sort()).toEqual(Object.keys(proves).sort());
});
