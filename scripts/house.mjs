// npm run house [-- --fragments PATH]: how the house stands. Sizes, comments, circles, `any`, test:source, forbidden edges. Exits 1 when a rule
// is broken. --fragments lists the doc comments under PATH that do not open with their subject.
import { fileURLToPath } from "node:url";
import { isFragment } from "./house/comments.mjs";
import { fullestFolders, longestChain, publicNames, smearedOver, sourcesOf } from "./house/measures.mjs";
import { readHouse } from "./house/read-sources.mjs";
import { packageOf } from "./house/resolve.mjs";
import { breaches, importCircles, isTest } from "./house/rules.mjs";

const house = readHouse(fileURLToPath(new URL("..", import.meta.url)));
const modules = [...house.modules.values()];
const sources = sourcesOf(house);
const lines = (files) => files.reduce((total, file) => total + file.lines, 0);
const print = (...parts) => console.log(parts.join(""));

const under = process.argv.indexOf("--fragments");
if (under >= 0) {
  const asked = process.argv[under + 1] ?? "";
  for (const { path, comments } of modules.filter((file) => file.path.startsWith(asked)))
    for (const { line } of comments.filter(isFragment)) print(`${path}:${line}`);
  process.exit();
}

const largest = [...sources].sort((a, b) => b.lines - a.lines).slice(0, 12);
print("Largest source files");
for (const { path, lines: count } of largest) print(String(count).padStart(6), "  ", path);
const over = (limit) => sources.filter(({ lines: count }) => count > limit).length;
print(
  `  ${sources.length} source files, ${lines(sources)} lines; over 100 lines: ${over(100)}, over 300: ${over(300)}`,
);

print("\nFullest folders, source files");
for (const [folder, count] of fullestFolders(house).slice(0, 8))
  print(String(count).padStart(6), "  ", folder);

const chain = longestChain(house);
print(`\nLongest chain of imports: ${chain.length} files, from ${chain[0]} to ${chain.at(-1)}`);

print("\nPublic names");
for (const [folder, entry, count] of publicNames(house))
  print(String(count).padStart(6), "  ", folder, entry === "." ? "" : ` ${entry}`);

print(
  "\nSources outside its folder, registries and verify that hold the name of an aggregate or a mechanism",
);
for (const { name, owns } of named(modules))
  print(String(smearedOver(house, name, owns).length).padStart(6), "  ", name);

print("\nAssertions that something is there (!)");
for (const [room, files] of roomsOf(sources))
  print(String(total(files, "assertions")).padStart(6), "  ", room);
print(String(total(sources, "assertions")).padStart(6), "  all");

print("\nTest : source, in lines");
const rooms = roomsOf(modules);
for (const [room, files] of rooms) {
  const tests = lines(files.filter(({ path }) => isTest(path)));
  const code = lines(files.filter(({ path }) => !isTest(path)));
  const ratio = code === 0 ? "-" : (tests / code).toFixed(2);
  print(room.padStart(24), "  ", String(tests).padStart(6), " : ", String(code).padEnd(6), " = ", ratio);
}

print("\nDoc comments that open with a fragment");
for (const [room, files] of rooms) fragments(room, files);
fragments("all", modules);

const anys = modules.flatMap(({ path, uses }) =>
  uses.filter(({ what }) => what === "any").map(({ line }) => `${path}:${line}`),
);
print(`\nUses of any: ${anys.length}`, ...anys.map((place) => `\n  ${place}`));

const rounds = importCircles(house);
print(`Import circles: ${rounds.length}`, ...rounds.map((files) => `\n  ${files.join(" ↔ ")}`));

const broken = breaches(house);
print(
  `Broken rules: ${broken.length}`,
  ...broken.map(({ file, line, rule }) => `\n  ${file}:${line}  ${rule}`),
);
if (broken.length > 0) process.exitCode = 1;

function fragments(name, files) {
  const all = files.flatMap(({ comments }) => comments);
  const share = (100 * all.filter(isFragment).length) / Math.max(1, all.length);
  print(
    name.padStart(24),
    "  ",
    String(all.filter(isFragment).length).padStart(6),
    " of ",
    all.length,
    ` = ${share.toFixed(1)} %`,
  );
}

/** Files by package, in the order of their names. */
function roomsOf(files) {
  const rooms = new Map();
  for (const file of files) rooms.set(roomOf(file.path), [...(rooms.get(roomOf(file.path)) ?? []), file]);
  return [...rooms].sort();
}

function total(files, key) {
  return files.reduce((sum, file) => sum + file[key], 0);
}

/** The kinds of aggregates and the ids of mechanisms, with the folders that own them. */
function named(all) {
  const aggregates = ["count", "sum", "avg", "variance", "stddev", "covariance", "quantile"].map((name) => ({
    name,
    owns: (path) => path.startsWith("packages/query/src/aggregates/"),
  }));
  const folder = "packages/core/src/mechanisms/";
  const mechanisms = [...new Set(all.map(({ path }) => path).filter((path) => path.startsWith(folder)))]
    .map((path) => path.slice(folder.length).split("/"))
    .filter((parts) => parts.length > 1)
    .map(([name]) => name);
  return [
    ...aggregates,
    ...[...new Set(mechanisms)].map((name) => ({
      name,
      owns: (path) => path.startsWith(`${folder}${name}/`),
    })),
  ];
}

function roomOf(path) {
  return packageOf(path, house.manifests) ?? path.split("/")[0];
}
