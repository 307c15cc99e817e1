import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { slugOf } from "../docs/.vitepress/slug.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const skipped = /(?:^|\/)(?:node_modules|dist|coverage|data)(?:\/|$)/;
const pages = ["docs", "packages", "apps", "testing", "bench"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
  )
  .concat(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"])
  .filter((path) => path.endsWith(".md") && !skipped.test(path));

it("a link to a source whose label is code names what the source holds", () => {
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\[((?:`\w+`(?:, )?)+)\]\(([^)\s]+\.ts)\)/g)].map(
      ([, label, target]) => ({ names: label.match(/\w+/g), page, target }),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  const missing = links.flatMap(({ names, page, target }) => {
    const source = readFileSync(join(root, dirname(page), target), "utf8");
    return names
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
      .map((name) => `${page}: ${name} is not in ${target}`);
  });
  expect(missing).toEqual([]);
});

it("the architecture's figures of a question are those of its golden file", () => {
  const page = readFileSync(join(root, "docs/architecture/README.md"), "utf8");
  const walk = page.slice(page.indexOf("## Walk one"), page.indexOf("## Walk two"));
  const golden = readFileSync(join(root, "testing/golden/duckdb/public-keys.json"), "utf8");
  const figures = walk.match(/\b\d+\/\d+\b|\b\d{5,}\b/g);
  expect(figures).toHaveLength(3);
  expect(figures.filter((figure) => !golden.includes(figure))).toEqual([]);
});

it("a decision has at most 500 words", () => {
  const decisions = pages.filter((path) => /^docs\/decisions\/\d/.test(path));
  expect(decisions.length).toBeGreaterThan(30);
  const long = decisions
    .map((path) => ({ path, words: readFileSync(join(root, path), "utf8").trim().split(/\s+/).length }))
    .filter(({ words }) => words > 500)
    .map(({ path, words }) => `${path}: ${words} words`);
  expect(long).toEqual([]);
});

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

it("every link to a heading leads to one", () => {
  const slugsOf = (page) => {
    const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
    const plain = (heading) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
    return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => slugOf(plain(heading)));
  };
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)].map(
      ([, path, slug]) => ({
        page,
        slug,
        target: path === "" ? page : join(dirname(page), path),
      }),
    ),
  );
  const inPages = links.filter(({ target }) => target.endsWith(".md"));
  expect(inPages.length).toBeGreaterThan(50);
  const broken = inPages
    .filter(({ target, slug }) => !slugsOf(target).includes(slug))
    .map(({ page, target, slug }) => `${page} → ${target}#${slug}`);
  expect(broken).toEqual([]);
});
