// coverage.<data>[.user].<aggregate>[.private]: the share of released answers whose 95 % interval holds the bounded aggregate, given
//   that the group was released; the lowest over the groups (target ≥ 0.935).
// coverage.<data>….width: mean width over that of the shortest valid interval (target ≤ 1.2); the README says what that is.
// coverage.<data>….width.<group>: the same, for one group.    coverage.<data>….bounded: share of answers that have an interval.
// coverage.runs: answers of each group. So many that intervals which hold in 95 % would be seen to hold in less than 93.5 %, for
//   any aggregate and group, with chance ≤ 1e-6 (exact binomial tail; peer: how many aggregates and groups share it).
// coverage.below: aggregates and groups that were below 93.5 %, of how many (target 0).
// Data: "cps", wages by sector; with --adult FILE also "adult", ages by sex of the 48,842 people of UCI's Adult (numeric columns age,
//   education-num, sex), which is not part of the repository. A unit is a row, or (".user") a person of two rows of the file.
// --runs N: instead of that many. --only NAME: aggregates so called. --data NAME: that data alone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parseRational } from "@lethe/core";
import { openDuckDb } from "@lethe/engine-duckdb";
import { readPolicy } from "@lethe/query";
import { enoughRuns, refutedUpTo } from "./binomial.mjs";
import { figure } from "./figure.mjs";
import { releasesOf } from "./releases.mjs";
import { shortestByErrors, shortestByRanks } from "./shortest-valid.mjs";
import { cpsCsv, makeWorkspace } from "./workspace.mjs";

const confidence = 0.95;
const floor = 0.935;
const familyAlarm = 1e-6;

export default async function bench(options) {
  const of = (flag) => (options.includes(flag) ? options[options.indexOf(flag) + 1] : undefined);
  const adult = of("--adult");
  const wanted = (subject) => !of("--data") || subject.data === of("--data");
  const all = [cps, ...(adult ? [adultPeople(readFileSync(adult, "utf8"))] : [])];
  const subjects = all.filter(wanted);
  // Of all that is ever asked, whatever this run asks.
  const tests = all.reduce(
    (sum, { groups, asked }) => sum + groups * asked.flatMap(([names]) => names).length * 2 * 2,
    0,
  );
  const alarm = familyAlarm / tests;
  const runs = Number(of("--runs") ?? enoughRuns(confidence, floor, alarm));
  if (!(runs >= 100)) throw new Error("--runs must be at least 100");
  figure("coverage.runs", runs, "answers", tests);
  let [below, seen] = [0, 0];
  for (const subject of subjects) {
    for (const unit of ["row", "user"]) {
      for await (const question of questionsOf(subject, unit, of("--only") ?? "")) {
        for (const coverage of measure(question, runs)) {
          seen += 1;
          if (coverage.right <= refutedAt(coverage.shown, runs, alarm)) below += 1;
        }
      }
    }
  }
  figure("coverage.below", below, "groups", seen);
}

/**
 * Returns the most right intervals that count as too few. With enough runs, that is all below the floor; for a group that was shown less often,
 * as few as the confidence cannot explain.
 */
function refutedAt(shown, runs, alarm) {
  return shown >= runs ? Math.ceil(floor * shown - 1e-9) - 1 : refutedUpTo(shown, confidence, alarm);
}

const [nowhere, anywhere] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Questions over x within bounds, and y beside it: names of the columns, what is asked, and what each can be at all. */
function askedOf(x, [lo, hi], y) {
  const spread = (hi - lo) ** 2 / 2;
  const quantile = (share) => `PERCENTILE_CONT(${share}) WITHIN GROUP (ORDER BY ${x})`;
  return [
    [["count"], "COUNT(*)", [[0, anywhere]]],
    [["distinct"], `COUNT(DISTINCT ${y})`, [[0, anywhere]]],
    [["sum"], `SUM(${x})`, [[0, anywhere]]],
    [["avg"], `AVG(${x})`, [[lo, hi]]],
    [["variance"], `VARIANCE(${x})`, [[0, spread]]],
    [["stddev"], `STDDEV_POP(${x})`, [[0, (hi - lo) / 2]]],
    [["covariance"], `COVAR_SAMP(${x}, ${y})`, [[nowhere, anywhere]]],
    [["corr"], `CORR(${x}, ${y})`, [[-1, 1]]],
    [["slope"], `REGR_SLOPE(${x}, ${y})`, [[nowhere, anywhere]]],
    [["intercept"], `REGR_INTERCEPT(${x}, ${y})`, [[nowhere, anywhere]]],
    [
      ["p10", "median", "p90"],
      `${quantile(0.1)}, ${quantile(0.5)}, ${quantile(0.9)}`,
      [
        [lo, hi],
        [lo, hi],
        [lo, hi],
      ],
    ],
  ];
}

/** A subject: its rows, the words for its policy, its groups and its questions. All values lie in bounds, so the plain database gives the true answers. */
const cps = {
  data: "cps",
  csv: cpsCsv(),
  words: [
    ...["--bounds", "wage=0..60", "--bounds", "education=int:0..20"],
    ...["--categories", "sector=manufacturing,construction,other"],
  ],
  ...{ key: "sector", groups: 3, asked: askedOf("wage", [0, 60], "education") },
};

const adultPeople = (csv) => ({
  data: "adult",
  csv,
  words: [
    ...["--bounds", "age=int:0..100", "--bounds", "education-num=int:0..20", "--categories", "sex=0,1"],
  ],
  ...{ key: "sex", groups: 2, asked: askedOf("age", [0, 100], '"education-num"') },
});

/** A person of two rows, whatever groups they lie in: neither bound leaves out any. */
function withPersons(csv) {
  const [header, ...lines] = csv.trim().split("\n");
  return [`person,${header}`, ...lines.map((line, at) => `p${at >> 1},${line}`), ""].join("\n");
}

/**
 * A question, however it is answered: of each column its name, `truths`, the bounded aggregate of each group, and
 * `shortest(group, answers)`, the mean width of the shortest valid interval; `ask`, one fresh release: rows {group, estimates}.
 * Yields what each group's intervals were worth.
 */
function* measure({ columns, groups, ask }, runs) {
  const shown = new Map(groups.map((group) => [group, columns.map(() => [])]));
  let asked = 0;
  // Private selection may leave a group out: until those that are shown at all often have been shown as often.
  const isShort = (answers) => answers.length >= runs / 10 && answers.length < runs;
  while (asked < runs || (asked < 10 * runs && [...shown.values()].some(([first]) => isShort(first)))) {
    asked += 1;
    for (const { group, estimates } of ask()) {
      const lists = shown.get(group);
      if (lists && lists[0].length < runs) for (const [at, list] of lists.entries()) list.push(estimates[at]);
    }
  }
  for (const [at, { name, truths, shortest, step }] of columns.entries()) {
    // A group that was shown too rarely says nothing about coverage at this precision.
    const lists = [...shown].flatMap(([group, all]) =>
      all[at].length >= runs / 10 ? [[group, all[at]]] : [],
    );
    const results = lists.map(([group, list]) => {
      const truth = truths.get(group);
      const known = list.filter(({ lower }) => lower !== null);
      const right = known.filter(({ lower, upper }) => lower <= truth && truth <= upper).length;
      const width = known.reduce((sum, { lower, upper }) => sum + upper - lower + step, 0) / known.length;
      return {
        group,
        right: right + list.length - known.length,
        shown: list.length,
        known: known.length,
        width,
      };
    });
    figure(
      `coverage.${name}`,
      Math.min(...results.map(({ right, shown }) => right / shown)),
      "share",
      confidence,
    );
    const bests = lists.map(([group, list]) => shortest(group, list) + step);
    for (const [i, { group, width }] of results.entries())
      figure(`coverage.${name}.width.${group}`, width, "units", bests[i]);
    figure(`coverage.${name}.width`, mean(results.map(({ width }) => width)), "units", mean(bests));
    const bounded = Math.min(...results.map(({ known, shown }) => known / shown));
    if (bounded < 1) figure(`coverage.${name}.bounded`, bounded, "share");
    yield* results;
  }
}

const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

/**
 * ε = 1 a question; private keys at δ = 1e-6. Text, plan, engine, mechanisms and intervals are the product's own; only the ledger
 * is left out, which a coin does not know.
 */
async function* questionsOf({ data, csv, words, key, asked }, unit, only) {
  const isRow = unit === "row";
  const { folder, remove } = makeWorkspace(
    isRow ? csv : withPersons(csv),
    [...words, ...["--measure", "approximate", "--epsilon", "5", "--delta", "1e-6"]],
    isRow ? ["row"] : ["person", "--max-groups", "2", "--max-rows", "2"],
  );
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
    for (const [names, aggregates, domains] of asked) {
      if (!names.some((name) => name.includes(only))) continue;
      const question = `SELECT ${key}, ${aggregates} FROM people GROUP BY ${key}`;
      const rows = await plainly(question, join(folder, "people.csv"));
      for (const keys of ["public", "private"]) {
        const options = {
          epsilon: parseRational("1"),
          delta: parseRational("1e-6"),
          groupSelection: keys,
          confidence,
        };
        const { plan, release, exact } = await releasesOf(question, options, policy, engine);
        const ranked = plan.aggregates.every(({ kind }) => kind === "quantile");
        const counted = new Map(exact().map(({ key: [group], trees }) => [String(group), trees]));
        const columns = names.map((name, at) => {
          const truths = new Map(rows.map(([group, ...values]) => [String(group), Number(values[at])]));
          return {
            name: `${data}${isRow ? "" : ".user"}.${name}${keys === "public" ? "" : ".private"}`,
            truths,
            // Ends of quantiles are values of the grid, and both belong to the interval.
            step: ranked ? 2 ** plan.trees[0].grid.exponent : 0,
            shortest: (group, answers) =>
              ranked
                ? shortestByRanks(plan, at, counted.get(group), 1 - confidence)
                : names[at] === "stddev"
                  ? shortestByErrors(
                      answers,
                      truths.get(group) ** 2,
                      squared(domains[at]),
                      confidence,
                      Math.sqrt,
                    )
                  : shortestByErrors(answers, truths.get(group), domains[at], confidence),
          };
        });
        const uncut = uncutBy[plan.aggregates[0].kind];
        yield {
          columns,
          groups: rows.map(([group]) => String(group)),
          ask: () =>
            release().map(({ key: [group], values, estimates }) => ({
              group: String(group),
              estimates:
                plan.outputs.some(({ kind }) => kind === "computed") || !uncut
                  ? estimates
                  : [{ ...estimates[0], raw: uncut(plan.aggregates[0], values) }],
            })),
        };
      }
    }
  } finally {
    await engine.close();
    remove();
  }
}

const squared = (domain) => domain.map((end) => end ** 2);

/** The answer of the database itself, group by group. */
async function plainly(question, csv) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW people AS FROM read_csv('${csv.replaceAll("'", "''")}')`);
  const reader = await connection.runAndReadAll(question);
  const rows = reader.getRows();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** The estimate in the question's units before it is cut to the public domain, where that is easily said. */
const uncutBy = {
  count: ({ count }, values) => Number(values[count]),
  sum: ({ sum, exponent }, values) => Number(values[sum]) * 2 ** exponent,
  avg: ({ sum, count, mid, exponent }, values) =>
    (Number(mid) + Number(values[sum]) / Math.max(1, Number(values[count]))) * 2 ** exponent,
  variance: uncutVariance,
  // Of the variance: what its own interval is made of.
  stddev: uncutVariance,
  covariance({ products, sum, otherSum, count, exponent, population }, values) {
    const n = Math.max(2, Number(values[count]));
    const [p, s, t] = [products, sum, otherSum].map((at) => Number(values[at]) / n);
    return (p - s * t) * 2 ** exponent * (population ? 1 : n / (n - 1));
  },
};

function uncutVariance({ squares, sum, count, offset, exponent, population }, values) {
  const n = Math.max(2, Number(values[count]));
  const variance = Number(values[squares]) / n + Number(offset) - (Number(values[sum]) / n) ** 2;
  return variance * 4 ** exponent * (population ? 1 : n / (n - 1));
}
