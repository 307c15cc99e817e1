import { resolveImport } from "./resolve.mjs";
import { edgesOf, isTest } from "./rules.mjs";

/** Sources of the house, tests and their makers aside. */
export const sourcesOf = (house) => [...house.modules.values()].filter(({ path }) => !isTest(path));

const folderOf = (path) => path.slice(0, path.lastIndexOf("/"));

/** The folders with the most source files: [folder, count], the fullest first. */
export function fullestFolders(house) {
  const counts = new Map();
  for (const { path } of sourcesOf(house)) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** The longest chain of imports among sources that form no circle, from the file that imports to the file that imports nothing. */
export function longestChain(house) {
  const sources = new Set(sourcesOf(house).map(({ path }) => path));
  const next = new Map([...sources].map((path) => [path, []]));
  for (const { from, target } of edgesOf(house))
    if (sources.has(from) && sources.has(target.path) && from !== target.path)
      next.get(from).push(target.path);
  const longest = new Map();
  const open = new Set();
  const chainFrom = (path) => {
    if (longest.has(path)) return longest.get(path);
    if (open.has(path)) return [];
    open.add(path);
    const chains = next.get(path).map(chainFrom);
    const best = chains.reduce((a, b) => (b.length > a.length ? b : a), []);
    open.delete(path);
    longest.set(path, [path, ...best]);
    return longest.get(path);
  };
  return [...sources].map(chainFrom).reduce((a, b) => (b.length > a.length ? b : a), []);
}

/** The names that leave a module: its own, those that it passes on by name, and all of each module that it passes on whole. */
export function namesLeaving(path, house, seen = new Set()) {
  const module = house.modules.get(path);
  if (!module || seen.has(path)) return new Set();
  seen.add(path);
  const names = new Set(module.exports.names);
  for (const specifier of module.exports.whole) {
    const { path: there } = resolveImport(path, specifier, house);
    if (there) for (const name of namesLeaving(there, house, seen)) names.add(name);
  }
  return names;
}

/** The number of public names of each package, by entry: [package, entry, count]. */
export function publicNames(house) {
  return [...house.manifests].flatMap(([folder, { exports = {} }]) =>
    Object.entries(exports).flatMap(([entry, value]) => {
      const source = typeof value === "string" ? value : value?.source;
      return source ? [[folder, entry, namesLeaving(`${folder}/${source.slice(2)}`, house).size]] : [];
    }),
  );
}

/**
 * The sources that hold a name as a string, outside the folders that own it and outside packages/verify, which keeps derivations of its own.
 * A registry is where names are listed.
 */
export function smearedOver(house, name, owns) {
  return sourcesOf(house)
    .filter(({ path, texts }) => texts.includes(name) && path.startsWith("packages/") && !owns(path))
    .map(({ path }) => path)
    .filter((path) => !path.startsWith("packages/verify/") && !path.endsWith("/registry.ts"));
}
