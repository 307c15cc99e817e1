// odds.releases.<measure>.worst: what certificates state over what riskcal proves of the same mechanisms (target ≤ 1.02); .least: over riskcal's optimistic end, which is below the truth
// (target ≥ 1). odds.releases.verify.slowest: the milliseconds that deriving them adds to verify (target < 100). --only releases leaves out all else.
// odds.<what>.worst: the largest of our bound over riskcal's, of the advantage and of true positives at 1 % false ones (target ≤ 1.02). Where riskcal claims less than a mechanism of that very
// ρ has, its claim is false and is no measure: odds.zcdp.peer-below-truth counts these.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRational, toDouble } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { ndtr, ndtri } from "@lethe/core/numeric";
import { verifyRelease } from "@lethe/verify";
import { open } from "lethe";
import { figure, median } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";
import { makeCpsWorkspace } from "./workspace.mjs";

const seeded = (state) => () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

export default async function bench(options) {
  const at = options.indexOf("--settings");
  const settings = at < 0 ? 20 : Number(options[at + 1]);
  const peer = startPeer("riskcal", ".venv-riskcal");
  await benchReleases(peer);
  if (options.includes("releases")) return peer?.stop();
  const random = seeded(57);
  const between = (low, high) => Number((low * (high / low) ** random()).toPrecision(4));
  const noise = (scale) => ({
    kind: "continuous-laplace",
    version: 1,
    scale: String(scale),
    sensitivity: "1",
  });
  const kinds = {
    gaussian: () => {
      const sigma = between(0.5, 30);
      return [{ kind: "gaussian", version: 1, sigma: String(sigma), sensitivity: "1" }, { sigma }];
    },
    laplace: () => {
      const scales = Array.from({ length: 1 + Math.floor(random() * 4) }, () => between(0.5, 20));
      return [{ kind: "compose", version: 1, events: scales.map(noise) }, { scales }];
    },
    zcdp: () => {
      const rho = between(0.001, 2);
      return [{ kind: "zcdp", version: 1, rho: String(rho) }, { rho }];
    },
  };
  for (const [kind, draw] of Object.entries(kinds)) {
    let [advantage, right, belowTruth] = [0, 0, 0];
    for (let setting = 0; setting < settings; setting += 1) {
      const [event, words] = draw();
      const ours = odds(event);
      if (peer === null) continue;
      const { value } = await peer.ask(kind, words);
      const truth = kind === "zcdp" ? gaussianOdds(words.rho) : [0, 0];
      if (value[0] < truth[0] || value[1] < truth[1]) belowTruth += 1;
      if (value[0] >= truth[0]) advantage = Math.max(advantage, ours.advantage / value[0]);
      if (value[1] >= truth[1]) right = Math.max(right, ours.truePositives / value[1]);
      if (!(ours.advantage >= truth[0] && ours.truePositives >= truth[1]))
        throw new Error("our odds are below those of a Gaussian");
    }
    if (kind === "zcdp") figure("odds.zcdp.peer-below-truth", peer && belowTruth, "settings", null);
    figure(`odds.${kind}.advantage.worst`, peer && advantage, "ratio", peer && 1);
    figure(`odds.${kind}.true-positives.worst`, peer && right, "ratio", peer && 1);
  }
  peer?.stop();
}

/** The odds of Gaussian noise, which is ρ-zCDP with μ = √(2ρ): no bound for all mechanisms of that ρ may be less. */
function gaussianOdds(rho) {
  const mu = Math.sqrt(2 * rho);
  return [2 * ndtr(mu / 2) - 1, ndtr(ndtri(0.01) + mu)].map((odd) => odd * (1 - 1e-9));
}

const questions = [
  ["SELECT COUNT(*) FROM people", {}],
  ["SELECT SUM(wage) FROM people", {}],
  ["SELECT AVG(wage) FROM people", {}],
  ["SELECT sector, COUNT(*), AVG(wage) FROM people GROUP BY sector", {}],
  ["SELECT COUNT(*), SUM(wage), AVG(education), VARIANCE(wage) FROM people", {}],
  ["SELECT MEDIAN(wage) FROM people", {}],
];
/** Questions whose groups are data, and Gaussian noise, need a δ. */
const withDelta = [
  ["SELECT occupation, COUNT(*) FROM people GROUP BY occupation", {}],
  ["SELECT occupation, COUNT(*), SUM(wage) FROM people GROUP BY occupation", {}],
  ["SELECT COUNT(*) FROM people", { mechanism: "gaussian" }],
  ["SELECT sector, SUM(wage), COUNT(*) FROM people GROUP BY sector", { mechanism: "gaussian" }],
];
const settings = [
  { measure: "approximate", adjacency: "add-or-remove-one", asked: [...questions, ...withDelta] },
  { measure: "approximate", adjacency: "replace-one", asked: [...questions, ...withDelta] },
  { measure: "zcdp", adjacency: "add-or-remove-one", asked: withDelta.slice(2) },
];
const number = (text) => toDouble(parseRational(text), "up");

/** The mechanisms of an event in the peer's words. */
function stepsOf(event) {
  switch (event.kind) {
    case "compose":
      return event.events.flatMap(stepsOf);
    case "repeat":
      return Array.from({ length: Number(event.count) }, () => stepsOf(event.event)).flat();
    case "laplace":
      return [["laplace", number(event.scale), number(event.l1)]];
    case "rounded-gaussian":
      return [["gaussian", number(event.sigma), Math.sqrt(number(event.l2Squared))]];
    case "select-groups":
      return selectionOf(event.rule, Number(event.groups));
    case "constant":
      return [];
    default:
      throw new Error(`the peer has no words for ${event.kind}`);
  }
}

function selectionOf({ rule, ...of }, groups) {
  const each = {
    "truncated-geometric": () => [["told", number(of.epsilon), number(of.delta)]],
    "laplace-threshold": () => {
      const scale = number(of.scale);
      const told = Math.exp(-(number(of.threshold) - 1) / scale) / (1 + Math.exp(-1 / scale));
      return [["told", 1 / scale, told]];
    },
    "gaussian-threshold": () => [
      ["gaussian", number(of.sigma), 1],
      ["tail", number(of.sigma), number(of.threshold) - 1.5],
    ],
  }[rule]();
  return Array.from({ length: groups }, () => each).flat();
}

/** Milliseconds of one verification. */
async function verifying(release) {
  const start = performance.now();
  await verifyRelease(JSON.stringify(release));
  return performance.now() - start;
}

async function benchReleases(peer) {
  const worst = { advantage: 0, truePositives: 0, mu: 0 };
  const least = { advantage: Number.POSITIVE_INFINITY, truePositives: Number.POSITIVE_INFINITY };
  let [count, slowest] = [0, 0];
  for (const { measure, adjacency, asked } of settings) {
    const workspace = makeCpsWorkspace({ measure, adjacency, epsilon: "1000", delta: "0.01" });
    try {
      const policyText = readFileSync(join(workspace.folder, "lethe.yaml"), "utf8");
      const lethe = await open(join(workspace.folder, "lethe.yaml"));
      for (const [at, [sql, more]] of asked.entries()) {
        const delta = withDelta.some(([text]) => text === sql) ? { delta: 1e-6 } : {};
        const mechanism = more.mechanism ? ` OPTIONS(mechanism = ${more.mechanism})` : "";
        const text = mechanism ? sql.replace("SELECT", `SELECT WITH DIFFERENTIAL_PRIVACY${mechanism}`) : sql;
        const release = await lethe.query(text, {
          epsilon: 0.5 + 0.17 * at,
          ...delta,
          requestId: `${count}`,
        });
        const { odds: stated, plan } = release.certificate;
        const { checks } = await verifyRelease(JSON.stringify(release), { policyText });
        const { odds: _, ...rest } = release.certificate;
        const silent = { ...release, certificate: rest };
        const times = [];
        for (let turn = 0; turn < 5; turn += 1)
          times.push((await verifying(release)) - (await verifying(silent)));
        slowest = Math.max(slowest, median(times));
        const [check] = checks.filter(({ name }) => name === "odds");
        if (check?.outcome !== "passed") throw new Error(`${text}: ${check?.says}`);
        count += 1;
        const steps = stepsOf(plan.event);
        // Where every unit is replaced by another, the number of all rows tells nothing.
        if (peer === null || steps.length === 0) continue;
        const { value } = await peer.ask("steps", { steps });
        const { upper, lower } = value;
        for (const key of ["advantage", "truePositives"]) {
          worst[key] = Math.max(worst[key], stated[key] / upper[key]);
          if (lower !== null) least[key] = Math.min(least[key], stated[key] / lower[key]);
        }
        if (stated.mu !== null) worst.mu = Math.max(worst.mu, stated.mu / upper.mu);
      }
      await lethe.close();
    } finally {
      workspace.remove();
    }
  }
  figure("odds.releases.count", count, "releases");
  figure("odds.releases.verify.slowest", slowest, "ms");
  for (const key of ["advantage", "truePositives", "mu"])
    figure(`odds.releases.${key}.worst`, peer && worst[key], "ratio", peer && 1);
  for (const key of ["advantage", "truePositives"])
    figure(`odds.releases.${key}.least`, peer && least[key], "ratio", peer && 1);
}
