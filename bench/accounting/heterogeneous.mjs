// account.heterogeneous-100: ms for ε at δ 1e-5 of 100 mechanisms that all differ: runs of DP-SGD, Laplace and Gaussian noise, a third each;
// .width is that of its interval as a share of ε. account.heterogeneous-100.sampled: of 100 different runs of DP-SGD. Peer: dp_accounting's PLD
// accountant, asked once.
import { account, dpSgdEvent } from "@lethe/core";
import { figure, median } from "../figure.mjs";

const delta = 1e-5;
const runOf = (i) => [0.001 * (1 + i / 20), 0.8 + i / 100, 5 + i];
const of = (count, make) => Array.from({ length: count }, (_, i) => make(i));

const mixes = [
  {
    id: "heterogeneous-100",
    sampled: of(34, (i) => runOf(3 * i)),
    laplace: of(33, (i) => 10 + 1.1 * i),
    gaussian: of(33, (i) => 10 + 1.1 * i),
  },
  { id: "heterogeneous-100.sampled", sampled: of(100, runOf), laplace: [], gaussian: [] },
];

const eventOf = ({ sampled, laplace, gaussian }) => ({
  ...{ kind: "compose", version: 1 },
  events: [
    ...sampled.map(([rate, noiseMultiplier, steps]) => dpSgdEvent({ rate, noiseMultiplier, steps })),
    ...laplace.map((scale) => ({
      kind: "continuous-laplace",
      version: 1,
      scale: `${scale}`,
      sensitivity: "1",
    })),
    ...gaussian.map((sigma) => ({ kind: "gaussian", version: 1, sigma: `${sigma}`, sensitivity: "1" })),
  ],
});

export async function heterogeneous(google, rounds) {
  for (const mix of mixes) {
    const times = [];
    let found;
    for (let round = 0; round < rounds; round++) {
      // Another noise each round: no round can use what the last one found.
      const laplace = mix.laplace.map((scale) => scale * (1 + 1e-7 * round));
      const sampled = mix.sampled.map(([rate, sigma, steps]) => [rate, sigma * (1 + 1e-7 * round), steps]);
      const event = eventOf({ ...mix, laplace, sampled });
      const start = performance.now();
      found = account(event).epsilon(delta);
      times.push(performance.now() - start);
    }
    const { lower, upper } = found;
    const { id, ...asked } = mix;
    const theirs = google === null ? null : await google.ask("heterogeneous", { ...asked, delta });
    if (theirs !== null && !(theirs.value > lower * (1 - 1e-3) && theirs.value < upper * 1.02))
      throw new Error(`${id}: [${lower}, ${upper}] where dp_accounting has ${theirs.value}`);
    figure(`account.${id}`, median(times), "ms", theirs === null ? null : 1000 * theirs.seconds);
    figure(`account.${id}.width`, (upper - lower) / upper, "of ε");
  }
}
