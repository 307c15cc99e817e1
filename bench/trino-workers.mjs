// npm run bench -- trino-workers [--rows 400000]: no clock. A coordinator and two workers of its own (npm run trino:get), and one node over the same tables.
// trino-workers.answers: sums of questions over rows and users, joins, groups, tables and snapshots, by one node and by two workers, and how many are not DuckDB's (trino-workers.differences, target 0).
// trino-workers.least-share: what the worker that did less did of the splits' time of processor (target ≥ 0.25); trino-workers.coordinator: what the coordinator did (target 0).
// trino-workers.failed-by-the-constant: a question that needs more of a worker's memory than it may have, and one whose worker is killed (target 2). trino-workers.answered-after: the killed one, asked again under its charge by
// the worker that is left, and another by both, once the worker is there again (target 2).
import { parseArgs } from "node:util";
import { figure } from "./figure.mjs";
import { reportOf } from "./report-of.mjs";

export default async function bench(args) {
  const { values } = parseArgs({ args, options: { rows: { type: "string", default: "400000" } } });
  const told = reportOf("scripts/trino/workers/workers.test.mjs", "a coordinator with two workers", {
    TRINO_WORKERS: values.rows,
  });
  const of = (what) => told.filter((each) => each.what === what);
  const sum = (what, name) => of(what).reduce((all, each) => all + each[name], 0);
  figure("trino-workers.answers", sum("answers", "answers"), "answers");
  figure("trino-workers.differences", sum("answers", "differences"), "answers", 0, null);
  const [{ shares: [coordinator, ...workers] = [1, 0] } = {}] = of("split work");
  figure("trino-workers.least-share", Math.min(...workers), "of the split CPU");
  figure("trino-workers.coordinator", coordinator, "of the split CPU", 0, null);
  figure(
    "trino-workers.failed-by-the-constant",
    sum("memory", "failed") + sum("death", "failed"),
    "questions",
  );
  figure("trino-workers.answered-after", sum("death", "answered"), "questions");
}
