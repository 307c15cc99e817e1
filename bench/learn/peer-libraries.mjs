import { batchesFrom, batchOf, size } from "./batches.mjs";
import { differenceOfSums, differenceOfWeights } from "./check-peer.mjs";
import { ourSide, ourSum } from "./our-side.mjs";
import { peerSide } from "./peer-side.mjs";

/** The first of its ways is what a library does unless asked otherwise. */
export const libraries = {
  opacus: {
    ...{ script: "opacus", environment: ".venv-learn", isPrivate: true },
    ways: ["channels-first", "channels-last"].flatMap((layout) =>
      ["hooks", "functorch", "ew", "ghost"].map((mode) => `${mode}, ${layout}`),
    ),
  },
  "jax-privacy": {
    ...{ script: "jax_privacy", environment: ".venv-jax", isPrivate: true },
    ways: ["all", "1", "4", "16", "64"],
  },
  pytorch: {
    ...{ script: "pytorch", environment: ".venv-learn", isPrivate: false },
    ways: ["channels-first", "channels-last"],
  },
};

/**
 * A library's two ways: what it does unless asked otherwise, and the fastest by processor time. Each is compared with ours first: the clipped sum at the same
 * weights, about half of the units being clipped, and the weights after three steps. One that computes something else is left out, and the usual one throws.
 */
export async function chooseWays(name, { ways, isPrivate }, peer, source, folder, setting, wide) {
  const clip = isPrivate ? setting.clip : wide;
  const { sums } = await ourSum(source, batchOf(0), clip);
  const ours = await ourSide(source, { ...setting, clip });
  await ours.steps(batchesFrom(0, 3));
  const times = [];
  // Layouts of pictures are no matter where there are none.
  const own = source.network.input.length === 3 ? ways : ways.filter((way) => !way.endsWith("channels-last"));
  for (const way of own) {
    const side = await peerSide(peer, way, source, folder, setting);
    const theirs = await side.summed(batchOf(0));
    await side.steps(batchesFrom(0, 3));
    const difference =
      differenceOfSums({ ours: sums, theirs, clip, size }) ??
      differenceOfWeights(source, await ours.weights(), await side.weights());
    if (difference !== null && way === ways[0]) throw new Error(`${name}, ${way}: ${difference}`);
    if (difference !== null) console.error(`${name}: ${way} is left out: ${difference}`);
    if (difference === null) times.push({ way, least: await leastOf(side) });
    await side.end();
  }
  times.sort((a, b) => a.least - b.least);
  console.error(`${name}: ${times.map(({ way, least }) => `${way} ${least.toFixed(2)}`).join("; ")}`);
  return { usual: ways[0], fastest: times[0].way };
}

/** Processor milliseconds of a step, the least of five turns of about 20 ms: short ones would be moved by what else the machine does. */
async function leastOf(side) {
  const { processor } = await side.steps(batchesFrom(0, 2));
  const count = Math.min(20, Math.max(1, Math.round(20 / processor)));
  const times = [];
  for (let i = 0; i < 5; i++) times.push((await side.steps(batchesFrom(i, count))).processor);
  return Math.min(...times);
}
