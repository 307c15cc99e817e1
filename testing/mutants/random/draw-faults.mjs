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
  const orders = [...strata].map(([stratum, paths]) => {
    const places = paths.flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return faultsOf(path, text).map((fault) => ({ ...fault, path, stratum }));
    });
    return { order: shuffled(places, dice), left: shares.get(stratum) };
  });
  const { faults, uncompiled } = firstThatCompile(orders, root, compiler);
  return { faults: withOwnIds(shuffled(faults, dice)), uncompiled };
}

/** Two faults may change the same place to different texts: the later one of them has a number. */
export function withOwnIds(faults) {
  const seen = new Map();
  return faults.map((fault) => {
    const count = (seen.get(fault.id) ?? 0) + 1;
    seen.set(fault.id, count);
    return count === 1 ? fault : { ...fault, id: `${fault.id}:${count}` };
  });
}

/** The first `left` of each order that compile. What all orders still need is asked about at once. */
function firstThatCompile(orders, root, compiler) {
  const faults = [];
  let uncompiled = 0;
  for (;;) {
    const asked = orders.flatMap((stratum) =>
      stratum.order.splice(0, stratum.left).map((place) => ({ place, stratum })),
    );
    if (asked.length === 0) return { faults, uncompiled };
    const texts = asked.map(({ place: { path, start, end, to } }) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text: text.slice(0, start) + to + text.slice(end), before: text };
    });
    for (const [at, compiles] of compiler.compile(texts).entries()) {
      const { place, stratum } = asked[at];
      if (!compiles) uncompiled += 1;
      else {
        faults.push({ ...place, ...describe(place, texts[at].before) });
        stratum.left -= 1;
      }
    }
  }
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
