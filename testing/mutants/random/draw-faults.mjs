import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diceOf, shuffled } from "./dice.mjs";
import { faultsOf } from "./operators.mjs";
import { sharesOf, strataOf } from "./strata.mjs";

/**
 * `count` faults that compile, drawn with the dice of `seed`: each package gets its share, and in it every place and change has the same
 * chance. `under` keeps to the paths that begin so. Gives { faults, uncompiled }: how many draws were thrown away because they do not compile.
 */
export function drawFaults({ count, seed, house, root, compiler, under = null }) {
  const strata = new Map(
    [...strataOf(house)]
      .map(([name, paths]) => [name, paths.filter((path) => under === null || path.startsWith(under))])
      .filter(([, paths]) => paths.length > 0),
  );
  if (strata.size === 0) throw new Error(`no source begins with ${under}`);
  const linesOf = (paths) => paths.reduce((total, path) => total + house.modules.get(path).lines, 0);
  const shares = sharesOf(count, new Map([...strata].map(([name, paths]) => [name, linesOf(paths)])));
  const dice = diceOf(seed);
  const faults = [];
  let uncompiled = 0;
  for (const [stratum, paths] of strata) {
    const places = paths.flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return faultsOf(path, text).map((fault) => ({ ...fault, path, stratum }));
    });
    let left = shares.get(stratum);
    for (const place of shuffled(places, dice)) {
      if (left === 0) break;
      const text = readFileSync(join(root, place.path), "utf8");
      const changed = text.slice(0, place.start) + place.to + text.slice(place.end);
      if (!compiler.compiles(place.path, changed)) uncompiled += 1;
      else {
        faults.push({ ...place, changed, ...describe(place, text) });
        left -= 1;
      }
    }
  }
  return { faults, uncompiled };
}

function describe({ path, start, end, to, operator }, text) {
  const line = text.slice(0, start).split("\n").length;
  const column = start - text.lastIndexOf("\n", start - 1);
  const short = (words) => words.replace(/\s+/g, " ").slice(0, 80);
  return {
    id: `${path}:${line}:${column}:${operator}`,
    change: `${short(text.slice(start, end))} → ${short(to)}`,
  };
}
