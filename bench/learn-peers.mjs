// learn.step.<lr|mlp|cnn>.<peer>: milliseconds of one step on 256 units; its peer does the same step. No noise on either side: forward, backward, clip, sum, update.
// learn.noisy-step.<network>.<peer>: the same with noise of 1.3 clips on both sides: ours exact and from secure coins, theirs floating and pseudorandom.
//   opacus, jax-privacy: private; pytorch: no clip and no noise, in both rows. In the way each has unless asked otherwise.
// ….<peer>.fastest: in the fastest of its ways, found in this run: modes of Opacus, rows at a time in JAX-Privacy, layouts of pictures.
// One processor for all sides; each library has one thread. Peers' batches are laid out before their clock starts, ours are gathered after it.
// --only NAME: one network.   --rounds N: 21 unless stated.   --clock processor: time of the processor, for a busy machine.

import { figure, median } from "./figure.mjs";
import { batchesFrom, batchOf, rows, size } from "./learn/batches.mjs";
import { networks } from "./learn/networks.mjs";
import { bindToOneProcessor } from "./learn/one-processor.mjs";
import { ourSide, ourSum } from "./learn/our-side.mjs";
import { chooseWays, libraries } from "./learn/peer-libraries.mjs";
import { peerSide, writeSource } from "./learn/peer-side.mjs";
import { makeSource } from "./learn/step.mjs";
import { startPeer } from "./peers/peer.mjs";

const noise = 1.3;
/** Milliseconds that one side's turn is to take. */
const turn = 60;

/** A clip that leaves about half of a batch unclipped, and one that leaves all. */
async function clipsOf(source) {
  const clips = [];
  for (const least of [size / 2, size]) {
    let clip = 2 ** -10;
    while ((await ourSum(source, batchOf(0), clip)).unclipped < least) clip *= 1.05;
    clips.push(clip);
  }
  return clips;
}

/** How long a side's step takes, over rounds in which every side has its turn. */
async function inTurns(sides, rounds) {
  for (const side of sides) {
    await side.training.steps(batchesFrom(0, 5));
    const { clock } = await side.training.steps(batchesFrom(5, 3));
    side.count = Math.min(50, Math.max(1, Math.round(turn / clock)));
    side.found = [];
  }
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) side.found.push(await side.training.steps(batchesFrom(round, side.count)));
  }
}

function told(name, ours, theirs, clock) {
  const [own, other] = [ours, theirs].map(({ found }) => found.map((each) => each[clock]));
  figure(name, median(own), "ms", median(other));
  const ratios = own.map((each, round) => each / other[round]).sort((a, b) => a - b);
  const [low, high] = [0.25, 0.75].map((share) => ratios[Math.floor(share * (ratios.length - 1))].toFixed(3));
  const least = [own, other].map((times) => Math.min(...times).toFixed(2));
  console.error(
    `${name}: ${theirs.way}. Half of the rounds' ratios are from ${low} to ${high}; the least are ${least.join(" and ")} ms`,
  );
}

async function compare(name, { peers, rounds, clock }) {
  const source = makeSource(name, rows);
  const { folder, remove } = writeSource(source);
  const [clip, wide] = await clipsOf(source);
  const setting = { clip, rate: 0.05, batch: size, noise: 0 };
  const ways = new Map();
  for (const [library, peer] of peers) {
    const words = [libraries[library], peer, source, folder, setting, wide];
    ways.set(library, await chooseWays(`learn.${name}.${library}`, ...words));
  }
  for (const [prefix, multiplier] of Object.entries({ "learn.step": 0, "learn.noisy-step": noise })) {
    const same = { ...setting, noise: multiplier };
    const ours = { training: await ourSide(source, same) };
    await ours.training.steps(batchesFrom(0, 20));
    const sides = [ours];
    for (const [library, { usual, fastest }] of ways) {
      for (const way of new Set([usual, fastest])) {
        const training = await peerSide(peers.get(library), way, source, folder, same);
        sides.push({ library, way, training });
      }
    }
    await inTurns(sides, rounds);
    for (const library of Object.keys(libraries)) {
      const own = sides.filter((side) => side.library === library);
      const full = `${prefix}.${name}.${library}`;
      if (own.length === 0) figure(full, median(ours.found.map((each) => each[clock])), "ms");
      else {
        told(full, ours, own[0], clock);
        told(`${full}.fastest`, ours, own.at(-1), clock);
      }
    }
    for (const { training } of sides) await training.end?.();
  }
  remove();
}

export default async function bench(options = []) {
  const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
  const clock = option("--clock") ?? "clock";
  if (!["clock", "processor"].includes(clock)) throw new Error("--clock is processor, or left out");
  const rounds = Number(option("--rounds") ?? 21);
  if (!(Number.isSafeInteger(rounds) && rounds >= 1))
    throw new Error("--rounds is a whole number of at least 1");
  const only = option("--only");
  bindToOneProcessor();
  const peers = new Map();
  for (const [library, { script, environment }] of Object.entries(libraries)) {
    const peer = startPeer(script, environment);
    if (peer !== null) peers.set(library, peer);
  }
  for (const name of Object.keys(networks).filter((each) => only === undefined || each === only))
    await compare(name, { peers, rounds, clock });
  for (const peer of peers.values()) peer.stop();
}
