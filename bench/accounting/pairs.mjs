// account.pairs.<case>: ε at δ 1e-5, and .seconds, of neighbours that are not one unit who comes, and of moves drawn in secret. Peer:
// dp_accounting's PLD accountant at its own discretization, asked once: it takes up to minutes a case. account.pairs.<case>.lower is our
// lower end over our upper one.
import { account, dpSgdEvent } from "@lethe/core";
import { figure } from "../figure.mjs";

const delta = 1e-5;
const sgd = (rate, noiseMultiplier, steps, more = {}) =>
  dpSgdEvent({ rate, noiseMultiplier, steps, ...more });
const replaced = { adjacency: "replace-one" };

/** Each with the words in which the peer is asked for the same; null where it has no such pair. */
function casesOf() {
  const grouped = [2, 3, 5, 10].map((size) => ({
    id: `group-${size}`,
    event: { kind: "group", version: 1, size: `${size}`, event: sgd("0.01", 1.1, 100) },
    peer: ["group", { size, rate: 0.01, sigma: 1.1, steps: 100 }],
  }));
  const truncated = [60_000, 62_000].map((units) => ({
    id: `truncated-${units}`,
    event: sgd("256/60000", 1.1, 3515, { limit: { batch: 320, units } }),
    peer: ["truncated", { units, rate: 256 / 60000, limit: 320, sigma: 1.1, steps: 3515 }],
  }));
  const drawn = [
    { sigma: 2, moves: [0, 1, 2, 3], weights: [0.9, 0.05, 0.03, 0.02] },
    { sigma: 1.5, moves: [0, 1, 2.5], weights: [0.97, 0.02, 0.01] },
  ].map(({ sigma, moves, weights }, i) => ({
    id: `mixture-${i + 1}`,
    event: {
      ...{ kind: "repeat", version: 1, count: "20" },
      event: {
        ...{ kind: "gaussian-mixture", version: 1, sigma: `${sigma}` },
        moves: moves.map((move, j) => ({ weight: `${weights[j]}`, move: `${move}` })),
      },
    },
    peer: ["mixture", { sigma, moves, weights, steps: 20 }],
  }));
  return [
    ...grouped,
    {
      id: "replace-one",
      event: sgd("0.004267", 1.1, 3515),
      options: replaced,
      peer: ["replaced", { rate: 0.004267, sigma: 1.1, steps: 3515 }],
    },
    ...truncated,
    ...drawn,
  ];
}

export async function pairs(google) {
  for (const { id, event, options, peer } of casesOf()) {
    const start = performance.now();
    const { lower, upper } = account(event, options).epsilon(delta);
    const seconds = (performance.now() - start) / 1000;
    const theirs = google === null ? null : await google.ask(peer[0], { ...peer[1], delta });
    figure(`account.pairs.${id}`, upper, "ε", theirs?.value ?? null);
    figure(`account.pairs.${id}.seconds`, seconds, "s", theirs?.seconds ?? null);
    figure(`account.pairs.${id}.lower`, lower / upper, "share of the upper end");
  }
}
