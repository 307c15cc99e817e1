import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const skipped = /(?:^|\/)(?:node_modules|dist|coverage|data)(?:\/|$)/;
const pages = ["docs", "packages", "apps", "testing", "bench"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
  )
  .concat(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"])
  .filter((path) => path.endsWith(".md") && !skipped.test(path));

it("every page leads only to what is there", () => {
  expect(pages.length).toBeGreaterThan(60);
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target)
      .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
      .filter((target) => !existsSync(join(root, dirname(page), target.split("#")[0])))
      .map((target) => `${page} → ${target}`),
  );
  expect(broken).toEqual([]);
});
