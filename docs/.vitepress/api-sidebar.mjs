import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = "reference/api/";

/**
 * The sidebars of the API reference, by path: every page shows all doors, and of its own door the kinds of names. The names themselves are
 * listed by each door's page: all of them in every sidebar would weigh more than the pages.
 */
export function apiSidebarsOf(docs) {
  if (!existsSync(join(docs, folder, "index.md"))) return {};
  const doors = doorsOf(docs);
  const sidebar = (open) => [
    { text: "All documentation", link: "/" },
    {
      text: "API",
      link: `/${folder}`,
      items: doors.map((door) => (door === open ? opened(door) : line(door))),
    },
  ];
  const paths = doors.map((door) => [`/${folder}${door.path}`, sidebar(door)]);
  return Object.fromEntries([[`/${folder}`, sidebar(null)], ...paths]);
}

/** The doors in the order of the reference's first page, which is that of typedoc.json. */
function doorsOf(docs) {
  const index = readFileSync(join(docs, folder, "index.md"), "utf8");
  return [...index.matchAll(/^- \[(.+)\]\((.+\/)index\.md\)/gm)].map(([, name, path]) => {
    const page = readFileSync(join(docs, folder, path, "index.md"), "utf8");
    return { name, path, kinds: [...page.matchAll(/^## (.+)$/gm)].map(([, kind]) => kind) };
  });
}

const line = ({ name, path }) => ({ text: name, link: `/${folder}${path}` });

const opened = (door) => ({
  ...line(door),
  items: door.kinds.map((kind) => ({
    text: kind,
    link: `/${folder}${door.path}#${kind.toLowerCase().replaceAll(" ", "-")}`,
  })),
});
