import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exportsOf, importsOf, readFormulas } from "./read-formulas.mjs";
import { rooms, tools } from "./rooms.mjs";

export const core = "packages/core/src";
const isTest = (path) => /\.test\.ts$/.test(path);
const isSource = (path) =>
  path.endsWith(".ts") && !/\.(?:test|oracle)\.ts$|(?:^|\/)(?:index|tape)\.ts$|\/testing\//.test(path);

/** Sources and tests of core as [path below packages/core/src, text], sorted; tests elsewhere with their whole path. */
export function readCore(root) {
  const under = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ""));
  const files = [...under(core), ...under("testing/src").filter(isTest)];
  return new Map(files.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/**
 * Every room with its formulas, each with the test that imports it, and what is missing:
 * { rooms: [{ folder, title, formulas }], faults: [text] }.
 */
export function gather(files) {
  const tests = [...files]
    .filter(([path]) => isTest(path))
    .map(([path, text]) => [path, importsOf(path, text)]);
  const faults = staleTools(files);
  const gathered = rooms.map(({ folder, title, each }) => {
    const inside = [...files].filter(([path]) => folderOf(path) === folder && isSource(path));
    const formulas = inside.flatMap(([path, text]) =>
      readFormulas(path, text).map((formula) => ({
        ...formula,
        path,
        test: testOf(formula.name, path, tests),
      })),
    );
    faults.push(...formulas.flatMap(incomplete), ...unwritten(each, inside, formulas));
    return { folder, title, formulas };
  });
  return { rooms: gathered, faults };
}

/** The room of a file: the longest folder of rooms.mjs that leads to it. */
function folderOf(path) {
  const within = rooms.filter(({ folder }) => path.startsWith(`${core}/${folder}/`));
  return within.sort((a, b) => b.folder.length - a.folder.length)[0]?.folder;
}

/** The test beside the file that imports the name, else one of its folder, else any. */
function testOf(name, path, tests) {
  const importing = tests.filter(([, words]) => words.has(name)).map(([test]) => test);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return (
    importing.find((test) => test === path.replace(/\.ts$/, ".test.ts")) ??
    importing.find((test) => test.startsWith(folder)) ??
    importing[0] ??
    null
  );
}

function incomplete({ path, line, name, statement, source, direction, test }) {
  const at = `${path}:${line} ${name}`;
  return [
    ...(source ? [] : [`${at}: its docstring has no line "Source: …"`]),
    ...(/^(?:exact|upper|lower)\b/.test(direction ?? "")
      ? []
      : [`${at}: its docstring has no line "Direction: exact|upper|lower"`]),
    ...(statement ? [] : [`${at}: its docstring states nothing`]),
    ...(test ? [] : [`${at}: no test imports it`]),
  ];
}

/** Files, or folders of mechanisms, that hold no formula where each should. */
function unwritten(each, inside, formulas) {
  const written = new Set(formulas.map(({ path }) => path));
  const relative = (path) => path.slice(core.length + 1);
  if (each === "file") {
    return inside
      .filter(
        ([path, text]) =>
          !written.has(path) && !tools.has(relative(path)) && exportsOf(path, text).length > 0,
      )
      .map(([path]) => `${path}: no export has a docstring with "Source: …" and "Direction: …"`);
  }
  if (each === "mechanism") {
    const folders = new Set(
      inside
        .map(([path]) => relative(path).split("/"))
        .filter((parts) => parts.length > 2)
        .map((parts) => parts[1]),
    );
    return [...folders]
      .filter((folder) => ![...written].some((path) => relative(path).startsWith(`mechanisms/${folder}/`)))
      .map(
        (folder) => `${core}/mechanisms/${folder}: no formula of its loss has "Source: …" and "Direction: …"`,
      );
  }
  return [];
}

function staleTools(files) {
  return [...tools]
    .filter((path) => !files.has(`${core}/${path}`))
    .map((path) => `rooms.mjs names ${path}, which is gone`);
}
