import { releaseGroups, secureEntropy } from "@lethe/core";
import { estimators, prepare } from "@lethe/gateway";
import { compilePlan, compileTrees, duckdb, releaseProgram } from "@lethe/query";

/**
 * A question as the product plans, runs, noises and estimates it, as often as wanted; only the ledger is left out, which a coin
 * does not know. `release()` is a fresh answer; `exact()` the same with no noise and every group: the bounded aggregates
 * themselves, null where they are quantiles. Both give groups {key, values, estimates}, one estimate {value, lower, upper} an aggregate.
 */
export async function releasesOf(text, options, policy, engine) {
  const plan = await prepare(text, options, policy);
  const [table] = Object.keys(policy.tables);
  const storage = await engine.storage(table);
  const rows = await engine.run(compilePlan(plan, () => storage, duckdb));
  const cells = [];
  for (const query of compileTrees(plan, () => storage, duckdb)) cells.push(await engine.run(query));
  const bits = secureEntropy();
  const estimate = estimators(plan, options.confidence);
  const answered = (program) =>
    releaseGroups(rows, program, bits, cells).map(({ key, values, trees }) => ({
      key,
      values,
      estimates: estimate.map((one) => one(values, trees)),
    }));
  const program = releaseProgram(plan);
  return {
    plan,
    release: () => answered(program),
    exact: cells.length > 0 ? null : () => answered(noiseless(program)),
  };
}

function noiseless({ measurements, keys }) {
  const everyGroup = {
    kind: "private",
    rule: { rule: "laplace-threshold", scale: "1/100", threshold: "1" },
  };
  return {
    measurements: measurements.map(({ terms }) => ({ terms, noise: { mechanism: "constant@1" } })),
    keys: keys.kind === "private" ? everyGroup : keys,
  };
}
