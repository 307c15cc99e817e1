// The site of `npm run docs`: the pages of this folder, in the order of `rooms`, with search. Pages stay plain Markdown that reads well where it lies.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { apiSidebarsOf } from "./api-sidebar.mjs";
import { sidebarOf } from "./sidebar.mjs";
import { slugOf } from "./slug.mjs";

const docs = fileURLToPath(new URL("..", import.meta.url));

/** Folders of pages and how the sidebar calls them. */
const rooms = [
  ["tutorials", "Tutorials"],
  ["how-to", "How to"],
  ["concepts", "Concepts"],
  ["reference", "Reference"],
  ["architecture", "Architecture"],
  ["attacks", "Attacks that were tried"],
  ["decisions", "Decisions"],
  ["measurements", "Measurements"],
];

export default defineConfig({
  title: "Lethe",
  description: "Differential privacy for SQL: remember the crowd, forget the person.",
  cleanUrls: true,
  lastUpdated: false,
  // The sidebars and the list of all pages are one script beside the pages, not 100 kB in each of them.
  metaChunk: true,
  rewrites: { "README.md": "index.md", ":room/README.md": ":room/index.md" },
  markdown: {
    // Braces and angle brackets of a page are formulas and placeholders: neither attributes nor tags.
    attrs: { disable: true },
    html: false,
    anchor: { slugify: slugOf },
    config: (markdown) => markdown.core.ruler.push("links out of the docs", unlinkSources),
  },
  transformPageData({ frontmatter, relativePath }) {
    // Names of the API have no order in which they are read.
    if (relativePath.startsWith("reference/api/")) Object.assign(frontmatter, { prev: false, next: false });
  },
  themeConfig: {
    nav: [
      { text: "Tutorials", link: "/tutorials/first-answer" },
      { text: "SQL", link: "/reference/sql" },
      { text: "Policy", link: "/reference/policy" },
      { text: "Models and synthetic tables", link: "/reference/models" },
      { text: "API", link: "/reference/api/", activeMatch: "^/reference/api/" },
    ],
    sidebar: { ...apiSidebarsOf(docs), "/": sidebarOf(docs, rooms) },
    outline: [2, 3],
    search: { provider: "local" },
  },
});

/** A page may lead to a source of the repository, which no site holds: there the label stays, without a link. */
function unlinkSources(state) {
  const page = join(docs, state.env.relativePath ?? "");
  for (const { children } of state.tokens) {
    let outside = false;
    for (const token of children ?? []) {
      if (token.type === "link_open") outside = leadsOut(page, token.attrGet("href"));
      const isLink = token.type === "link_open" || token.type === "link_close";
      if (isLink && outside) token.tag = "span";
      if (token.type === "link_open" && outside) token.attrs = null;
      if (token.type === "link_close") outside = false;
    }
  }
}

function leadsOut(page, href) {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return false;
  const target = join(dirname(page), href.split("#")[0]);
  return relative(docs, target).startsWith("..") && existsSync(target);
}
