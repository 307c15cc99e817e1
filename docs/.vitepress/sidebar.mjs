import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The sidebar: a group for each of `rooms`, [folder, title], with a line for each of its pages under the page's own heading. */
export function sidebarOf(docs, rooms) {
  return [
    { text: "All documentation", link: "/" },
    { text: "Glossary", link: "/glossary" },
    ...rooms
      .filter(([folder]) => existsSync(join(docs, folder)))
      .map(([folder, text]) => ({ text, collapsed: folder === "decisions", items: itemsOf(docs, folder) })),
  ];
}

function itemsOf(docs, folder) {
  return readdirSync(join(docs, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith(".md"))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/index.md` : entry.name))
    .filter((page) => existsSync(join(docs, folder, page)))
    .sort((a, b) => orderOf(docs, folder, a) - orderOf(docs, folder, b) || a.localeCompare(b))
    .map((page) => ({
      text: titleOf(readFileSync(join(docs, folder, page), "utf8")),
      link: `/${folder}/${page.replace(/(?:README|index)?\.md$/, "")}`,
    }));
}

/** A page of a room may say its place: `order: 2` at its head. The room's own page is the first, pages without an order the last. */
function orderOf(docs, folder, page) {
  if (page === "README.md") return 0;
  const order = /^---\n(?:.*\n)*?order: (\d+)\n/.exec(readFileSync(join(docs, folder, page), "utf8"));
  return order ? Number(order[1]) : 1000;
}

/** A page's heading; the group already says "How to". */
function titleOf(text) {
  const heading = /^# (.*)$/m
    .exec(text)[1]
    .replaceAll("`", "")
    .replace(/^How to /, "");
  return heading.slice(0, 1).toUpperCase() + heading.slice(1);
}
