import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { apiSidebarsOf } from "../docs/.vitepress/api-sidebar.mjs";

let docs;
beforeEach(() => {
  docs = mkdtempSync(join(tmpdir(), "lethe-docs-"));
});
afterEach(() => rmSync(docs, { recursive: true }));

const write = (path, text) => {
  mkdirSync(dirname(join(docs, path)), { recursive: true });
  writeFileSync(join(docs, path), text);
};

it("every page of the API shows all doors, and the kinds of names of its own", () => {
  write("reference/api/index.md", "# API\n\n- [lethe](lethe/index.md)\n- [@a/b/c](@a/b/c/index.md)\n");
  write("reference/api/lethe/index.md", "# lethe\n\n## Functions\n\n- [open](functions/open.md)\n");
  write("reference/api/@a/b/c/index.md", "# @a/b/c\n\n## Type Aliases\n\n- [T](type-aliases/T.md)\n");
  const sidebars = apiSidebarsOf(docs);
  expect(Object.keys(sidebars)).toEqual([
    "/reference/api/",
    "/reference/api/lethe/",
    "/reference/api/@a/b/c/",
  ]);
  const doors = (path) => sidebars[path].at(-1).items;
  expect(doors("/reference/api/")).toEqual([
    { text: "lethe", link: "/reference/api/lethe/" },
    { text: "@a/b/c", link: "/reference/api/@a/b/c/" },
  ]);
  expect(doors("/reference/api/@a/b/c/")).toEqual([
    { text: "lethe", link: "/reference/api/lethe/" },
    {
      text: "@a/b/c",
      link: "/reference/api/@a/b/c/",
      items: [{ text: "Type Aliases", link: "/reference/api/@a/b/c/#type-aliases" }],
    },
  ]);
});

it("the site is made without the reference where that was not written", () => {
  expect(apiSidebarsOf(docs)).toEqual({});
});
