import { packageOf } from "../../../scripts/house/resolve.mjs";
import { isTest } from "../../../scripts/house/rules.mjs";

/** Sources whose faults are no faults of the product: tests, their tools, and subjects that are wrong on purpose. */
const spared = (path) =>
  isTest(path) || path.includes("/testing/") || path.includes("/known-bad/") || path.endsWith("/index.ts");

/** The sources of the packages that users run, as package folder → paths. */
export function strataOf({ modules, manifests }) {
  const strata = new Map();
  for (const path of [...modules.keys()].sort()) {
    const folder = packageOf(path, manifests);
    if (folder === null || folder === "testing" || !path.endsWith(".ts") || spared(path)) continue;
    strata.set(folder, [...(strata.get(folder) ?? []), path]);
  }
  return strata;
}

/**
 * How many of `count` each stratum gets: in proportion to the root of its size, so that small packages are seen too, and at least one.
 * @example sharesOf(10, new Map([["a", 900], ["b", 100]])) // => Map { "a" => 8, "b" => 2 }
 */
export function sharesOf(count, sizes) {
  const weights = [...sizes].map(([name, size]) => [name, Math.sqrt(size)]);
  const whole = weights.reduce((total, [, weight]) => total + weight, 0);
  const exact = weights.map(([name, weight]) => [name, (count * weight) / whole]);
  const shares = new Map(exact.map(([name, share]) => [name, Math.max(1, Math.floor(share))]));
  const byRest = [...exact].sort(([, a], [, b]) => (b % 1) - (a % 1));
  let left = count - [...shares.values()].reduce((total, share) => total + share, 0);
  for (let at = 0; left > 0; at = (at + 1) % byRest.length, left -= 1)
    shares.set(byRest[at][0], shares.get(byRest[at][0]) + 1);
  return shares;
}
