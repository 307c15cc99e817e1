import { secureEntropy } from "@lethe/core";
import { drawing, releaseGroups } from "@lethe/core/mechanisms";
import { answeredRows, isEstimate, planText } from "@lethe/gateway";
import { compilePlan, compileTrees, duckdb, releaseProgram, tablesRead } from "@lethe/query";

/**
 * A question as the product plans, runs, noises and estimates it, as often as wanted; only the ledger is left out, which a coin
 * does not know. The database is asked once.
 *   release()  a fresh answer, group by group {key, values, trees, estimates}: noisy integers, noisy cells, and one estimate
 *              {value, lower, upper} a column that holds estimates
 *   exact()    the same with no noise and every group: the bounded aggregates themselves, but for quantiles (to their cell)
 */
export async function releasesOf(text, options, policy, engine) {
  const plan = await planText(text, options, policy);
  const storages = new Map();
  for (const table of tablesRead(plan)) storages.set(table, await engine.storage(table));
  const storageOf = (table) => storages.get(table);
  const rows = await engine.run(compilePlan(plan, storageOf, duckdb));
  const cells = [];
  for (const query of compileTrees(plan, storageOf, duckdb)) cells.push(await engine.run(query));
  const draws = drawing(secureEntropy());
  const answered = answeredRows({ ...plan, post: unsorted }, options.confidence);
  const by = (program) => () => {
    const groups = releaseGroups(rows, program, draws, cells);
    return answered(groups).rows.map((row, at) => ({ ...groups[at], estimates: row.filter(isEstimate) }));
  };
  const program = releaseProgram(plan);
  return { plan, release: by(program), exact: by(noiseless(program)) };
}

const unsorted = { having: null, orderBy: [], limit: null, offset: 0 };

function noiseless({ measurements, trees, keys }) {
  const noise = { mechanism: "constant@1" };
  const everyGroup = {
    kind: "private",
    rule: { rule: "laplace-threshold", scale: "1/100", threshold: "1" },
  };
  return {
    measurements: measurements.map(({ terms }) => ({ terms, noise })),
    trees: trees.map((tree) => ({ ...tree, noise })),
    keys: keys.kind === "private" ? everyGroup : keys,
  };
}
