// sampler.<law>.<single|batch>[.scale-<s>]: draws per second of the noise samplers with real entropy, one at a time (a bigint
//   each) or 4096 into an array, on integers. Peer: OpenDP's exact sampler of the same law and scale, one value or a vector a
//   call, in turn with ours; for the rounded Gaussian its discrete Gaussian, which serves the same end.
// sampler.laplace.one-shot: what it takes to make a sampler and draw once.

import { ratio, secureEntropy } from "@lethe/core";
import { discreteGaussian, discreteLaplace, roundedGaussian } from "@lethe/core/samplers";
import { figure, median } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";

const scales = {
  "1/3": ratio(1n, 3n),
  "22/7": ratio(22n, 7n),
  10: ratio(10n),
  1000: ratio(1000n),
  "1e5/3": ratio(100_000n, 3n),
  "1e6": ratio(1_000_000n),
};
const laws = {
  laplace: { make: discreteLaplace, peer: "laplace" },
  gaussian: { make: roundedGaussian, peer: "gaussian" },
  "discrete-gaussian": {
    make: (scale) => discreteGaussian(ratio(scale.num ** 2n, scale.den ** 2n)),
    peer: "gaussian",
  },
};
/** Draws per call of ours, and per call of the peer: some tens of milliseconds each. */
const modes = { single: { ours: 2000, theirs: 1500 }, batch: { ours: 4096, theirs: 15_000 } };
const rounds = 7;
const roundMs = 120;

let sink = 0n;
const work = {
  single(sampler, entropy) {
    for (let i = 0; i < modes.single.ours; i++) sink ^= sampler.sample(entropy);
  },
  batch: (sampler, entropy, out) => sampler.fill(out, entropy),
};

/** Draws per second of ours and of the peer's, medians over rounds that alternate. */
async function rates(mode, sampler, entropy, ask) {
  const out = new Float64Array(modes[mode].ours);
  const round = () => {
    const start = performance.now();
    let done = 0;
    let elapsed = 0;
    for (; elapsed < roundMs; elapsed = performance.now() - start) {
      work[mode](sampler, entropy, out);
      done += out.length;
    }
    return (1000 * done) / elapsed;
  };
  round();
  const found = { ours: [], theirs: [], sizes: [] };
  for (let i = 0; i < rounds; i++) {
    found.ours.push(round());
    if (ask === null) continue;
    const { seconds, value } = await ask();
    found.theirs.push(modes[mode].theirs / seconds);
    found.sizes.push(value);
  }
  return { ours: median(found.ours), theirs: ask && median(found.theirs), size: ask && mean(found.sizes) };
}

const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;

/** The mean of |Z| over enough draws to tell a wrong scale. */
function meanSize(sampler, entropy) {
  const out = new Float64Array(40_000);
  sampler.fill(out, entropy);
  return mean(out.map(Math.abs));
}

export default async function bench() {
  const entropy = secureEntropy();
  const opendp = startPeer("opendp");
  for (const [law, { make, peer }] of Object.entries(laws)) {
    for (const mode of Object.keys(modes)) {
      for (const [name, scale] of Object.entries(scales)) {
        const sampler = make(scale);
        const words = { law: peer, scale: Number(scale.num) / Number(scale.den), count: modes[mode].theirs };
        const ask = opendp && (() => opendp.ask(mode, words));
        const { ours, theirs, size } = await rates(mode, sampler, entropy, ask);
        if (ask) checkSame(`${law} of scale ${name}`, meanSize(sampler, entropy), size, law === "gaussian");
        figure(`sampler.${law}.${mode}.scale-${name}`, ours, "samples/s", theirs);
        if (name === "10") figure(`sampler.${law}.${mode}`, ours, "samples/s", theirs);
      }
    }
  }
  opendp?.stop();
  const start = performance.now();
  const built = 2000;
  for (let i = 0; i < built; i++) sink ^= discreteLaplace(ratio(10n)).sample(entropy);
  figure("sampler.laplace.one-shot", ((performance.now() - start) / built) * 1000, "µs");
  if (typeof sink !== "bigint") throw new Error("unreachable");
}

/** At small scales a rounded Gaussian is another law than a discrete one: there only its order of size is compared. */
function checkSame(what, ours, theirs, isCousin) {
  const slack = isCousin && ours < 1 ? 2 : 0.25;
  if (!(Math.abs(ours - theirs) <= slack * Math.max(ours, theirs)))
    throw new Error(`${what}: mean size ${ours}, the peer's ${theirs}`);
}
