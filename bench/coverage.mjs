// coverage.<aggregate>[.private]: the share of released answers on the CPS wages whose 95 % interval holds the bounded
//   aggregate, given that the group was released; the lowest over the groups (target ≥ 0.935).
// coverage.<aggregate>[.private].width: mean width over that of the shortest valid interval (target ≤ 1.2); see shortest().
// coverage.<aggregate>[.private].width.<group>: the same, for one group.
// --runs N: releases of each question, 10000 unless stated.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import { openDuckDb } from "@lethe/engine-duckdb";
import { readPolicy } from "@lethe/query";
import { figure } from "./figure.mjs";
import { releasesOf } from "./releases.mjs";
import { makeCpsWorkspace } from "./workspace.mjs";

const confidence = 0.95;

export default async function bench(options) {
  const at = options.indexOf("--runs");
  const runs = at < 0 ? 10_000 : Number(options[at + 1]);
  if (!(runs >= 100)) throw new Error("--runs must be at least 100");
  for await (const question of wageQuestions()) measure(question, runs);
}

/**
 * A question, however it is answered: its name; `truths`, the bounded aggregate of each group; its public `domain`;
 * `ask`, one fresh release: rows {group, value, lower, upper} and, where known, `raw`, the estimate before it was cut to
 * the domain. All in one unit.
 */
function measure({ name, truths, domain, ask }, runs) {
  const seen = new Map([...truths.keys()].map((group) => [group, { covered: 0, width: 0, raws: [] }]));
  for (let run = 0; run < runs; run += 1) {
    for (const { group, value, lower, upper, raw = value } of ask()) {
      const one = seen.get(group);
      const truth = truths.get(group);
      if (lower <= truth && truth <= upper) one.covered += 1;
      one.width += upper - lower;
      one.raws.push(raw);
    }
  }
  // A group that was shown too rarely says nothing about coverage at this precision.
  const shown = [...seen].filter(([, { raws }]) => raws.length >= runs / 10);
  const coverages = shown.map(([, { covered, raws }]) => covered / raws.length);
  figure(`coverage.${name}`, Math.min(...coverages), "share", confidence);
  let widths = 0;
  let least = 0;
  for (const [group, { width, raws }] of shown) {
    const best = shortest(raws, truths.get(group), domain);
    figure(`coverage.${name}.width.${group}`, width / raws.length / best, "ratio");
    widths += width / raws.length;
    least += best;
  }
  figure(`coverage.${name}.width`, widths / least, "ratio");
}

/**
 * The mean width of the shortest interval of the form [estimate − b, estimate − a], cut to the public domain, that holds the
 * truth in 95 % of the releases: [a, b] is the shortest interval with 95 % of the errors. It is out of reach, since the
 * distribution of the errors depends on the truth.
 */
function shortest(estimates, truth, [low, high]) {
  const errors = estimates.map((estimate) => estimate - truth).sort((x, y) => x - y);
  const held = Math.ceil(confidence * errors.length);
  let best = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i + held <= errors.length; i += 1) {
    if (errors[i + held - 1] - errors[i] < best[1] - best[0]) best = [errors[i], errors[i + held - 1]];
  }
  const cut = (x) => Math.min(high, Math.max(low, x));
  const total = estimates.reduce((sum, x) => sum + cut(x - best[0]) - cut(x - best[1]), 0);
  return total / estimates.length;
}

/**
 * ε = 1 a question, wages in [0, 60], each row a person; private keys at δ = 1e-6. Text, plan, engine, mechanisms and
 * intervals are the product's own; only the ledger is left out, which a coin does not know.
 */
async function* wageQuestions() {
  const { folder, remove } = makeCpsWorkspace();
  const policy = readPolicy(readFileSync(join(folder, "lethe.yaml"), "utf8"));
  const stateDirectory = join(folder, ".lethe");
  const engine = await openDuckDb({
    policy,
    baseDirectory: folder,
    stateDirectory,
    seed: "coverage",
    log: console.error,
  });
  try {
    for (const [name, aggregate, domain] of [
      ["count", "COUNT(*)", [0, Number.POSITIVE_INFINITY]],
      ["sum", "SUM(wage)", [0, Number.POSITIVE_INFINITY]],
      ["avg", "AVG(wage)", [0, 60]],
      ["variance", "VARIANCE(wage)", [0, 1800]],
    ]) {
      for (const keys of ["public", "private"]) {
        const options = {
          epsilon: parseRational("1"),
          delta: parseRational("1e-6"),
          groupSelection: keys,
          confidence,
        };
        const text = `SELECT sector, ${aggregate} FROM people GROUP BY sector`;
        const { plan, exact, release } = await releasesOf(text, options, policy, engine);
        const row = ({ key, values, estimates: [estimate] }) => ({
          group: key[0],
          raw: uncut(plan.aggregates[0], values),
          ...estimate,
        });
        const truths = new Map(exact().map((answer) => [answer.key[0], row(answer).raw]));
        yield {
          name: keys === "public" ? name : `${name}.private`,
          truths,
          domain,
          ask: () => release().map(row),
        };
      }
    }
  } finally {
    await engine.close();
    remove();
  }
}

/** The estimate in the question's units before it is cut to the public domain. */
const uncutBy = {
  count: ({ count }, values) => Number(values[count]),
  sum: ({ sum, exponent }, values) => Number(values[sum]) * 2 ** exponent,
  avg: ({ sum, count, mid, exponent }, values) =>
    (Number(mid) + Number(values[sum]) / Math.max(1, Number(values[count]))) * 2 ** exponent,
  variance({ squares, sum, count, offset, exponent }, values) {
    const n = Math.max(2, Number(values[count]));
    const population = Number(values[squares]) / n + Number(offset) - (Number(values[sum]) / n) ** 2;
    return (population * 4 ** exponent * n) / (n - 1);
  },
};

function uncut(aggregate, values) {
  return uncutBy[aggregate.kind](aggregate, values);
}
