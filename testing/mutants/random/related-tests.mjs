import { packageOf, resolveImport } from "../../../scripts/house/resolve.mjs";

const isTestFile = (path) => /\.test\.(?:ts|mjs)$/.test(path);

/**
 * For each source file the tests that import it, through however many files, as rounds to be run one after another: those nearest in its own
 * package, the rest of its package, then all others. A test that starts built programs does not see a fault in a source, and is none of them.
 */
export class RelatedTests {
  #house;
  #importers = new Map();

  constructor(house) {
    this.#house = house;
    for (const { path, imports } of house.modules.values())
      for (const { specifier } of imports) {
        const to = resolveImport(path, specifier, house);
        if (to.kind !== "file" || to.path === null) continue;
        this.#importers.set(to.path, [...(this.#importers.get(to.path) ?? []), path]);
      }
  }

  roundsFor(path) {
    const distances = this.#distancesFrom(path);
    const own = packageOf(path, this.#house.manifests);
    const tests = [...distances]
      .filter(([file]) => isTestFile(file) && !file.startsWith("scripts/"))
      .map(([file, distance]) => ({ file, distance, isOwn: packageOf(file, this.#house.manifests) === own }))
      .sort((a, b) => a.distance - b.distance || a.file.localeCompare(b.file));
    const inside = tests.filter(({ isOwn }) => isOwn).map(({ file }) => file);
    const outside = tests.filter(({ isOwn }) => !isOwn).map(({ file }) => file);
    const shared = outside.filter((file) => file.startsWith("testing/"));
    const others = outside.filter((file) => !file.startsWith("testing/"));
    return [inside.slice(0, 8), inside.slice(8), others, shared].filter((round) => round.length > 0);
  }

  #distancesFrom(path) {
    const distances = new Map([[path, 0]]);
    const queue = [path];
    for (let at = queue.shift(); at !== undefined; at = queue.shift())
      for (const importer of this.#importers.get(at) ?? []) {
        if (distances.has(importer)) continue;
        distances.set(importer, distances.get(at) + 1);
        queue.push(importer);
      }
    return distances;
  }
}
