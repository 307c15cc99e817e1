import { packageOf, resolveImport } from "../../../scripts/house/resolve.mjs";

const isTestFile = (path) => /\.test\.(?:ts|mjs)$/.test(path);

/** For each source file the tests that import it, through however many files, those of its own package first and the nearest of these before all. */
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

  testsOf(path) {
    const own = packageOf(path, this.#house.manifests);
    return [...this.#distancesFrom(path)]
      .filter(([file]) => isTestFile(file) && !file.startsWith("scripts/"))
      .map(([file, distance]) => ({ file, distance, isOwn: packageOf(file, this.#house.manifests) === own }))
      .sort((a, b) => b.isOwn - a.isOwn || a.distance - b.distance || a.file.localeCompare(b.file))
      .map(({ file }) => file);
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
