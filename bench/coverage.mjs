// coverage.<aggregate>[.private]: the share of released answers on the CPS wages whose 95 % interval holds the bounded
//   aggregate, given that the group was released; the lowest over the groups (target ≥ 0.935).
// coverage.<aggregate>[.private].width: mean width over that of the shortest valid interval (target ≤ 1.2); see shortest().
// coverage.<aggregate>[.private].width.<group>: the same, for one group.
// --runs N: releases of each question, 10000 unless stated.
import {
  averageIntervals,
  laplaceFor,
  parseRational,
  ratio,
  releaseGroups,
  seal,
  secureEntropy,
  selectionFor,
  totalIntervals,
  varianceIntervals,
} from "@lethe/core";
import { figure } from "./figure.mjs";
import { cpsPeople } from "./workspace.mjs";

const confidence = 0.95;
const sectors = ["manufacturing", "construction", "other"];

export default async function bench(options) {
  const at = options.indexOf("--runs");
  const runs = at < 0 ? 10_000 : Number(options[at + 1]);
  if (!(runs >= 100)) throw new Error("--runs must be at least 100");
  for (const question of wageQuestions()) measure(question, runs);
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

/** ε = 1 a question, wages in [0, 60] on a grid of 2^−15, each row a person; private keys at δ = 1e-6 take an eighth of ε. */
function* wageQuestions() {
  const step = 2 ** -15;
  const mid = 30n << 15n;
  const half = mid;
  const offset = (half * half) / 2n;
  const rows = { groups: sectors.map(sectorSums) };

  function sectorSums(sector) {
    const wages = cpsPeople()
      .filter((person) => person.sector === sector)
      .map(({ wage }) => BigInt(Math.round(Math.min(60, Math.max(0, wage)) / step)) - mid);
    const total = (term) => wages.reduce((sum, x) => sum + term(x), 0n);
    const sums = [total(() => 1n), total((x) => x + mid), total((x) => x), total((x) => x * x - offset)];
    return { key: [sector], units: sums[0], sums };
  }

  const columns = {
    count: { column: 0, l1: 1n },
    sum: { column: 1, l1: 2n * half },
    deviations: { column: 2, l1: half },
    squares: { column: 3, l1: half * half - offset },
  };
  const aggregates = {
    count: {
      measured: ["count"],
      domain: [0, Number.POSITIVE_INFINITY],
      truth: ([count]) => Number(count),
      estimator({ count: noise }) {
        const interval = totalIntervals({ noise, confidence, atLeast: 0n });
        return ([count]) => inUnits(interval(count), 1, 0);
      },
    },
    sum: {
      measured: ["sum"],
      domain: [0, Number.POSITIVE_INFINITY],
      truth: ([sum]) => Number(sum) * step,
      estimator({ sum: noise }) {
        const interval = totalIntervals({ noise, confidence, atLeast: 0n });
        return ([sum]) => inUnits(interval(sum), step, 0);
      },
    },
    avg: {
      measured: ["deviations", "count"],
      domain: [0, 60],
      truth: ([sum, count]) => (Number(mid) + Number(sum) / Number(count)) * step,
      estimator({ deviations: sumNoise, count: countNoise }) {
        const interval = averageIntervals({ half, sumNoise, countNoise, confidence });
        return ([sum, count]) => ({
          ...inUnits(interval({ sum, count }), step, 30),
          raw: 30 + (step * Number(sum)) / Math.max(1, Number(count)),
        });
      },
    },
    variance: {
      measured: ["squares", "deviations", "count"],
      domain: [0, 1800],
      truth: ([squares, sum, count]) => sampleVariance(squares, sum, count),
      estimator({ squares: squaresNoise, deviations: sumNoise, count: countNoise }) {
        const noises = { squaresNoise, sumNoise, countNoise };
        const interval = varianceIntervals({ half, offset, ...noises, population: false, confidence });
        return ([squares, sum, count]) => ({
          ...inUnits(interval({ squares, sum, count }), step * step, 0),
          raw: sampleVariance(squares, sum, count),
        });
      },
    },
  };

  function sampleVariance(squares, sum, count) {
    const n = Math.max(2, Number(count));
    return ((Number(squares) / n + Number(offset) - (Number(sum) / n) ** 2) * step * step * n) / (n - 1);
  }

  function inUnits({ value, lower, upper }, unit, shift) {
    const scaled = (x) => Number(x) * unit + shift;
    return { value: scaled(value), lower: scaled(lower), upper: scaled(upper) };
  }

  const delta = parseRational("1e-6");
  const selection = selectionFor({ measure: "approximate", epsilon: ratio(1n, 8n), delta, groups: 1n });
  const keys = {
    public: { kind: "public", groups: sectors.map((sector) => [sector]) },
    private: { kind: "private", rule: selection },
  };
  const bits = secureEntropy();
  for (const [name, { measured, domain, truth, estimator }] of Object.entries(aggregates)) {
    const exact = (group) => truth(measured.map((column) => group.sums[columns[column].column]));
    const truths = new Map(rows.groups.map((group) => [group.key[0], exact(group)]));
    for (const kind of ["public", "private"]) {
      const epsilon = ratio(kind === "public" ? 8n : 7n, 8n * BigInt(measured.length));
      const noises = Object.fromEntries(
        measured.map((column) => [column, laplaceFor({ l1: columns[column].l1, epsilon })]),
      );
      const measurements = measured.map((column) => ({
        terms: [{ column: columns[column].column, coefficient: "1" }],
        noise: noises[column],
      }));
      const program = { measurements, keys: keys[kind] };
      const estimate = estimator(noises);
      const ask = () =>
        releaseGroups(seal(rows), program, bits).map(({ key, values }) => ({
          group: key[0],
          ...estimate(values),
        }));
      yield { name: kind === "public" ? name : `${name}.private`, truths, domain, ask };
    }
  }
}
