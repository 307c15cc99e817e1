// A wide table: 100 columns of 2 to 16 values and 50,000 rows, invented, whose pairs hang together in no tree; ε 1, δ 1e-9, add-or-remove-one. Each method has the cap of the model
//   that a description has unless it says otherwise: AIM 1 MB.
// synthesis-wide.<way>.distance: mean total-variation distance of all pairs of synthetic rows from the real ones, the mean over seeds; .distance.worst: the largest. Peer: independent
//   columns, each measured with its share of the whole price, in the same run.
// synthesis-wide.exact-columns.distance, .other-rows.distance: of the law of independent columns with no noise at all; and of as many other rows of the law that invented the table,
//   which is what a generator would give that knew this law.
// synthesis-wide.<way>.distance.law: the same of the fitted law; .distance.measured-pairs: of the rows, from the pairs that were measured, as the report tells it: what drawing adds
//   (where pairs are measured as tables, with their noise); .pairs: how many pairs were measured.
// synthesis-wide.<way>.seconds: from the plan to the fitted law, the median, counting in memory with it; .seconds.drawn: of the rows; .expected and .most: what is said beforehand of
//   both, over what they took without the counting, which is a database's; by the processor's clock.
// --columns 100, --rows 50000, --seeds 3, --only mst,residuals,aim-grem; AIM, a minute or more for 60 columns, is asked for: --only aim,aim-grem.

import { parseRational, ratio, toDouble } from "@lethe/core";
import { openTableSession } from "@lethe/core/mechanisms";
import { divide } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import {
  countedTables,
  estimate,
  graphicalLaw,
  measured,
  planSynthesis,
  sessionSource,
  sizesOf,
  synthesisReport,
  synthesisWork,
} from "@lethe/learn/synthesis";
import { figure, median } from "./figure.mjs";
import { made, visitsInASecond } from "./synthesis/made.mjs";
import { exactColumns, lawDistance, pairDistance, wideTable } from "./synthesis/tables.mjs";

/** The megabytes that a description allows unless it states `model_mb`. */
const modelBytes = { mst: 16e6, aim: 1e6, residuals: 16e6, "aim-grem": 64e6 };
const budget = { measure: "approximate", epsilon: parseRational("1"), delta: parseRational("1e-9") };

export default async function bench(options) {
  const option = (name, otherwise) => {
    const at = options.indexOf(`--${name}`);
    return at < 0 ? otherwise : options[at + 1];
  };
  const rows = Number(option("rows", 50_000));
  const { domain, columns } = wideTable(Number(option("columns", 100)), rows);
  const sizes = sizesOf(domain);
  const seeds = Array.from({ length: Number(option("seeds", 3)) }, (_, at) => at + 1);
  const ways = option("only", "mst,residuals,aim-grem").split(",");
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const planOf = (method) =>
    planSynthesis({ method, domain, adjacency: "add-or-remove-one", budget, modelBytes: modelBytes[method] });

  const { session } = planOf("mst");
  figure("synthesis-wide.exact-columns.distance", exactColumns(sizes, columns), "TV");
  figure(
    "synthesis-wide.other-rows.distance",
    pairDistance(sizes, columns, wideTable(sizes.length, rows, 1).columns),
    "TV",
  );
  const apart = [];
  for (const seed of seeds)
    apart.push(pairDistance(sizes, columns, await independent(session, columns, sizes, seed)));
  figure("synthesis-wide.independent.distance", mean(apart), "TV");
  for (const method of ways) {
    const plan = planOf(method);
    const [distances, laws, told, asked, fitted, drawn, own] = [[], [], [], [], [], [], []];
    for (const seed of seeds) {
      const { columns: rowsMade, learned, seconds } = await made(plan, columns, seed);
      distances.push(pairDistance(sizes, columns, rowsMade));
      laws.push(lawDistance(learned, columns));
      const { tables } = synthesisReport(learned, domain, rowsMade);
      const pairs = tables.filter(({ attributes }) => attributes.length === 2);
      asked.push(pairs.length);
      told.push(mean(pairs.map(({ rowsDistance }) => rowsDistance)));
      own.push(seconds.own);
      fitted.push(seconds.fitted);
      drawn.push(seconds.drawn);
    }
    const [work, speed] = [synthesisWork(plan, rows), visitsInASecond()];
    figure(`synthesis-wide.${method}.distance`, mean(distances), "TV", mean(apart));
    figure(`synthesis-wide.${method}.distance.worst`, Math.max(...distances), "TV", mean(apart));
    figure(`synthesis-wide.${method}.distance.law`, mean(laws), "TV", mean(apart));
    figure(`synthesis-wide.${method}.distance.measured-pairs`, mean(told), "TV");
    figure(`synthesis-wide.${method}.pairs`, mean(asked), "pairs", (sizes.length * (sizes.length - 1)) / 2);
    figure(`synthesis-wide.${method}.seconds`, median(fitted), "s");
    figure(`synthesis-wide.${method}.seconds.drawn`, median(drawn), "s");
    figure(`synthesis-wide.${method}.seconds.expected`, work.expected / speed, "s", median(own));
    figure(`synthesis-wide.${method}.seconds.most`, work.most / speed, "s", median(own));
  }
}

/** Rows of independent columns, each counted with noise at its share of the session. */
async function independent(setting, columns, sizes, seed) {
  const session = openTableSession(setting, new SeededSource(seed));
  const source = sessionSource(session, countedTables(columns), sizes);
  const each = toDouble(divide(session.left, ratio(BigInt(sizes.length))), "down");
  const sigma = parseRational((1.000001 / Math.sqrt(each)).toFixed(6));
  const tables = [];
  for (const at of sizes.keys())
    tables.push(measured([at], await source.measure([at], sigma), toDouble(sigma, "up") ** 2));
  const law = graphicalLaw(estimate(sizes, tables, { steps: 200 }).model);
  return law.draw(Math.round(law.total), new SeededSource(seed + 1000));
}
