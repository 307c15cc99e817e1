import { circles } from "./circles.mjs";
import {
  concrete,
  coreStrangers,
  draws,
  drawsNothing,
  floors,
  mostFiles,
  outside,
  packages,
} from "./layout.mjs";
import { packageOf, registryName, resolveImport } from "./resolve.mjs";

const core = "packages/core/src/";
const tape = `${core}tape.ts`;

/** Tests, their slow and plain oracles, the testing package, and a package's own folder of makers for its tests. */
export const isTest = (path) =>
  /\.(?:test|oracle)\.(?:ts|tsx|mjs)$/.test(path) ||
  path.startsWith("testing/") ||
  path.includes("/testing/");
const isTooling = (path) => path.startsWith("scripts/") || path.startsWith("bench/");
const coreFolder = (path) =>
  path.startsWith(core) && path.slice(core.length).includes("/")
    ? path.slice(core.length).split("/")[0]
    : null;

/** Every import of every file: [{ from, line, names, target }]. */
export function edgesOf(house) {
  return [...house.modules.values()].flatMap((module) =>
    module.imports.map(({ specifier, names, line }) => ({
      from: module.path,
      line,
      names,
      specifier,
      target: resolveImport(module.path, specifier, house),
    })),
  );
}

/** All breaches of the house's import rules: [{ file, line, rule }]. Empty when the house is in order. */
export function breaches(house) {
  const edges = edgesOf(house).filter(({ from }) => !isTooling(from));
  return [
    ...edges.flatMap((edge) =>
      edgeBreaches(edge, house).map((rule) => ({ file: edge.from, line: edge.line, rule })),
    ),
    ...ambientBreaches(house),
    ...crowdedFolders(house),
    ...importCircles(house).map((files) => ({
      file: files[0],
      line: 1,
      rule: `imports go in a circle: ${files.join(" ↔ ")}`,
    })),
  ];
}

/** Circles among sources; tests are leaves. */
export function importCircles(house) {
  const graph = new Map([...house.modules.keys()].map((path) => [path, []]));
  for (const { from, target } of edgesOf(house)) if (target.path) graph.get(from).push(target.path);
  return circles(graph);
}

function edgeBreaches(edge, house) {
  const own = packageOf(edge.from, house.manifests);
  if (!own) return [`${edge.from} lies in no workspace package`];
  const { target } = edge;
  if (target.kind === "outside") return outsideBreaches(edge, own, house.manifests.get(own));
  if (target.path === null) {
    const exists = /\.(?:json|wasm)$/.test(target.wanted);
    return exists ? [] : [`"${edge.specifier}" leads to no source file`];
  }
  const there = packageOf(target.path, house.manifests);
  return [
    ...(there === own ? folderBreaches(edge, own) : packageBreaches(edge, own, there)),
    ...sealBreaches(edge),
    ...tapeBreaches(edge),
    ...concreteBreaches(edge, own),
  ];
}

function outsideBreaches({ from, specifier, names }, own, manifest) {
  if (isTest(from)) return [];
  const allowed = outside[own] ?? [];
  if (
    specifier === "node:crypto" &&
    drawsNothing.includes(own) &&
    (names ?? ["default"]).some((name) => draws.test(name))
  )
    return [`${own} must not draw from node:crypto: randomness arrives as an argument`];
  if (specifier.startsWith("node:")) {
    return allowed.includes("node:") || allowed.includes(specifier)
      ? []
      : [`${own} must not use ${specifier}`];
  }
  const name = registryName(specifier);
  if (!allowed.includes("declared")) return [`${own} must not depend on ${name}`];
  return manifest.dependencies?.[name]
    ? []
    : [
        `${own} does not declare ${name} in its package.json (what tests alone need belongs into a testing folder)`,
      ];
}

function packageBreaches({ from, specifier, target }, own, there) {
  if (specifier.startsWith(".")) {
    // A test may take one contract without all of testing, and may open an Exact to look at what an engine sealed. Faults drawn by
    // chance are drawn from the house as scripts read it.
    const mayReach =
      (isTest(from) && (there === "testing" || target.path === `${core}exact/exact.ts`)) ||
      (from.startsWith("testing/mutants/") && isTooling(target.path));
    return mayReach ? [] : [`${specifier} reaches into ${there} by path: import the package`];
  }
  if (there === "testing") return isTest(from) ? [] : ["only tests may import testing"];
  if (isTest(from)) return own === "packages/core" ? [`core's tests must not import ${there}`] : [];
  return packages[own]?.includes(there) ? [] : [`${own} must not import ${there}`];
}

/** Folders that hold more source files than a reader can take in. */
function crowdedFolders(house) {
  const folders = new Map();
  for (const path of house.modules.keys()) {
    if (isTest(path) || isTooling(path)) continue;
    const folder = path.slice(0, path.lastIndexOf("/"));
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return [...folders]
    .filter(([, files]) => files.length > mostFiles)
    .map(([folder, files]) => ({
      file: files[0],
      line: 1,
      rule: `${folder} holds ${files.length} source files: at most ${mostFiles}`,
    }));
}

/** The floor of a file within its package, and the room's name; null for a file at the top, and where a package has no floors. */
function floorOf(path, own) {
  if (!path.startsWith(`${own}/src/`)) return null;
  const folder = path.slice(`${own}/src/`.length).split("/").slice(0, -1).join("/");
  if (folder === "" || !floors[own]) return null;
  const rooms = floors[own].filter((room) => folder === room || folder.startsWith(`${room}/`));
  const room = rooms.sort((a, b) => b.length - a.length)[0] ?? null;
  return { folder, room, level: floors[own].indexOf(room) };
}

function floorBreaches({ from, target }, own) {
  const here = floorOf(from, own);
  if (here === null || isTest(from)) return [];
  if (here.room === null) return [`${own} has no floor for ${here.folder}`];
  const there = floorOf(target.path, own);
  if (there === null) return [`${here.room} must not import the package's wiring ${target.path}`];
  // The index of a room is its door: it shows what lies in the rooms inside it.
  if (from.endsWith("/index.ts") && there.folder.startsWith(`${here.folder}/`)) return [];
  const [low, high] = [here, there].map(({ room }) => `${own.slice("packages/".length)}/${room}`);
  return there.level > here.level ? [`${low} must not import ${high}, which lies above it`] : [];
}

function folderBreaches({ from, target }, own) {
  if (isTest(target.path) && !isTest(from)) return ["only tests may import what is made for tests"];
  if (target.path === tape) return [];
  return [...floorBreaches({ from, target }, own), ...strangerBreaches({ from, target })];
}

/** Mechanisms and accountants never import each other. */
function strangerBreaches({ from, target }) {
  if (isTest(from) || !from.startsWith(core) || !target.path.startsWith(core)) return [];
  const { those, others, except } = coreStrangers;
  const [here, there] = [from, target.path].map((path) => path.slice(core.length));
  const within = (rooms, path) => rooms.some((room) => path.startsWith(`${room}/`));
  const isOther = (path) => within(others, path) && !within(except, path);
  const apart = (within(those, here) && isOther(there)) || (isOther(here) && within(those, there));
  return apart ? [`core/${coreRoom(here)} must not import core/${coreRoom(there)}`] : [];
}
const coreRoom = (path) => path.split("/").slice(0, -1).join("/");

function sealBreaches({ from, names, target }) {
  if (target.path !== `${core}exact/exact.ts`) return [];
  const opens = names === null || names.includes("unseal");
  const mayOpen = from.startsWith(`${core}mechanisms/`) || from === tape || isTest(from);
  return opens && !mayOpen ? ["only core/mechanisms may import unseal"] : [];
}

function tapeBreaches({ from, target }) {
  return target.path === tape && !isTest(from) && !from.startsWith("packages/audit/")
    ? ["only tests, testing, audit and bench may import the bit tape"]
    : [];
}

function concreteBreaches({ from, names }, own) {
  if (!["packages/gateway", "packages/serve"].includes(own) || isTest(from)) return [];
  return (names ?? [])
    .filter((name) => concrete.test(name))
    .map((name) => `${own === "packages/gateway" ? "the gateway" : own} must not know ${name}`);
}

/** Ambient randomness, clocks and `any`. */
function ambientBreaches(house) {
  const found = [];
  const cryptoFiles = new Set();
  for (const { path, uses } of house.modules.values()) {
    if (isTooling(path)) continue;
    for (const { what, line } of uses) {
      if (what === "any") found.push({ file: path, line, rule: "`any` is not a type of this house" });
      else if (isTest(path)) continue;
      else if (what === "crypto") {
        if (!path.startsWith(core)) continue;
        cryptoFiles.add(path);
        if (coreFolder(path) !== "entropy")
          found.push({ file: path, line, rule: "only core/entropy names crypto" });
      } else if (!path.startsWith("apps/")) {
        found.push({
          file: path,
          line,
          rule: `${what} outside apps: randomness and time arrive as arguments`,
        });
      }
    }
  }
  const files = [...cryptoFiles].filter((path) => coreFolder(path) === "entropy");
  if (files.length > 1) {
    found.push({
      file: files[1],
      line: 1,
      rule: `one file of core/entropy names crypto, not ${files.length}`,
    });
  }
  return found;
}
