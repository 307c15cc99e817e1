// coverage.<data>.<aggregate>[.private]: the share of released answers whose 95 % interval holds the bounded aggregate, given
//   that the group was released; the lowest over the groups (target ≥ 0.935).
// coverage.<data>.<aggregate>[.private].width: mean width over that of the shortest valid interval (target ≤ 1.2); see shortest().
// coverage.<data>.<aggregate>[.private].width.<group>: the same, for one group.
// Data: "cps", wages by sector; with --adult FILE also "adult", ages by sex of the 48,842 people of UCI's Adult (numeric columns age,
//   education-num, sex), which is not part of the repository.
// --runs N: releases of each question, 10000 unless stated, a tenth of that for quantiles. --only NAME: aggregates so called.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parseRational } from "@lethe/core";
import { openDuckDb } from "@lethe/engine-duckdb";
import { readPolicy } from "@lethe/query";
import { figure } from "./figure.mjs";
import { releasesOf } from "./releases.mjs";
import { makeCpsWorkspace, makeWorkspace } from "./workspace.mjs";

const confidence = 0.95;

export default async function bench(options) {
  const of = (flag) => (options.includes(flag) ? options[options.indexOf(flag) + 1] : undefined);
  const runs = Number(of("--runs") ?? 10_000);
  if (!(runs >= 100)) throw new Error("--runs must be at least 100");
  const adult = of("--adult");
  const subjects = [cps(), ...(adult ? [adultPeople(readFileSync(adult, "utf8"))] : [])];
  for (const subject of subjects) {
    for await (const question of questionsOf(subject, of("--only") ?? "")) {
      measure(question, question.name.includes("median") ? Math.max(100, Math.round(runs / 10)) : runs);
    }
  }
}

/** Where the rows lie, who is in which group, and the columns that are asked about: x within bounds, y beside it. */
const cps = () => ({
  data: "cps",
  workspace: makeCpsWorkspace(),
  ...{ key: "sector", x: "wage", bounds: [0, 60], y: "education" },
});

const adultPeople = (csv) => ({
  data: "adult",
  workspace: makeWorkspace(csv, [
    ...["--bounds", "age=int:0..100", "--bounds", "education-num=int:0..20", "--categories", "sex=0,1"],
    ...["--measure", "approximate", "--epsilon", "5", "--delta", "1e-6"],
  ]),
  ...{ key: "sex", x: "age", bounds: [0, 100], y: '"education-num"' },
});

const anything = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Aggregates with the domain of their values; what the plain database says of them is the truth, for all values lie in bounds. */
function aggregatesOf({ x, y, bounds: [lo, hi] }) {
  return [
    ["count", "COUNT(*)", [0, Number.POSITIVE_INFINITY]],
    ["distinct", `COUNT(DISTINCT ${y})`, [0, Number.POSITIVE_INFINITY]],
    ["sum", `SUM(${x})`, [0, Number.POSITIVE_INFINITY]],
    ["avg", `AVG(${x})`, [lo, hi]],
    ["variance", `VARIANCE(${x})`, [0, Number.POSITIVE_INFINITY]],
    ["stddev", `STDDEV_POP(${x})`, [0, (hi - lo) / 2]],
    ["covariance", `COVAR_SAMP(${x}, ${y})`, anything],
    ["median", `PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY ${x})`, [lo, hi]],
  ];
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
 * ε = 1 a question, each row a person; private keys at δ = 1e-6. Text, plan, engine, mechanisms and intervals are the product's
 * own; only the ledger is left out, which a coin does not know.
 */
async function* questionsOf({ data, workspace: { folder, remove }, key, ...columns }, only) {
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
    for (const [name, aggregate, domain] of aggregatesOf(columns)) {
      if (!name.includes(only)) continue;
      const question = `SELECT ${key}, ${aggregate} FROM people GROUP BY ${key}`;
      const truths = await plainly(question, join(folder, "people.csv"));
      for (const keys of ["public", "private"]) {
        const options = {
          epsilon: parseRational("1"),
          delta: parseRational("1e-6"),
          groupSelection: keys,
          confidence,
        };
        const { plan, release } = await releasesOf(question, options, policy, engine);
        const row = ({ key: [group], values, estimates: [estimate] }) => ({
          group: String(group),
          raw: uncutBy[plan.aggregates[0].kind]?.(plan.aggregates[0], values) ?? estimate.value,
          ...estimate,
        });
        yield {
          name: `${data}.${name}${keys === "public" ? "" : ".private"}`,
          truths,
          domain,
          ask: () =>
            release()
              .map(row)
              .filter(({ group }) => truths.has(group)),
        };
      }
    }
  } finally {
    await engine.close();
    remove();
  }
}

/** The answer of the database itself, group by group. */
async function plainly(question, csv) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW people AS FROM read_csv('${csv.replaceAll("'", "''")}')`);
  const reader = await connection.runAndReadAll(question);
  const rows = reader.getRows().map(([group, value]) => [String(group), Number(value)]);
  connection.closeSync();
  instance.closeSync();
  return new Map(rows);
}

/** The estimate in the question's units before it is cut to the public domain, where that is easily said. */
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
