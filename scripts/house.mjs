// npm run house: how the house stands. Sizes, circles, `any`, test:source, forbidden edges. Exits 1 when a rule is broken.
import { fileURLToPath } from "node:url";
import { readHouse } from "./house/read-sources.mjs";
import { packageOf } from "./house/resolve.mjs";
import { breaches, importCircles, isTest } from "./house/rules.mjs";

const house = readHouse(fileURLToPath(new URL("..", import.meta.url)));
const modules = [...house.modules.values()];
const sources = modules.filter(({ path }) => !isTest(path));
const lines = (files) => files.reduce((total, file) => total + file.lines, 0);
const print = (...parts) => console.log(parts.join(""));

const largest = [...sources].sort((a, b) => b.lines - a.lines).slice(0, 12);
print("Largest source files");
for (const { path, lines: count } of largest) print(String(count).padStart(6), "  ", path);
const over = (limit) => sources.filter(({ lines: count }) => count > limit).length;
print(
  `  ${sources.length} source files, ${lines(sources)} lines; over 100 lines: ${over(100)}, over 300: ${over(300)}`,
);

print("\nTest : source, in lines");
const rooms = new Map();
for (const file of modules) {
  const room = roomOf(file.path);
  rooms.set(room, [...(rooms.get(room) ?? []), file]);
}
for (const [room, files] of [...rooms].sort()) {
  const tests = lines(files.filter(({ path }) => isTest(path)));
  const code = lines(files.filter(({ path }) => !isTest(path)));
  const ratio = code === 0 ? "-" : (tests / code).toFixed(2);
  print(room.padStart(24), "  ", String(tests).padStart(6), " : ", String(code).padEnd(6), " = ", ratio);
}

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

function roomOf(path) {
  return packageOf(path, house.manifests) ?? path.split("/")[0];
}
