// npm run bench -- sql [--rows N] [--rounds 9] [--threads N] [--memory 6e9] [--data DIR] [--only PREFIX] [--growth] [--huge]
// What privacy costs the database: Lethe's compiled SQL against the plain query that an analyst would otherwise run on
// the raw tables, same process, same settings, taken in turns. A figure's value is the median of the rounds' ratios, its
// peer the median milliseconds of the plain query. Both sides are warm. Where each row is a unit, their answers are checked
// to agree; where a user owns many rows, Lethe bounds each user and the plain query does not. README.md names each figure.
// --rows: of events (20 M), of raw Parquet (10 M), and of TPC-H's largest table (6 M).
// --growth: the same on a quarter of the rows, as time a row over time a row. --huge: 100 M rows.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { parseRational, ratio } from "@lethe/core";
import {
  compilePlan,
  dialects,
  explainQuestion,
  parseQuestion,
  policyHash,
  resolveQuestion,
} from "@lethe/query";
import { figure, median } from "./figure.mjs";
import { defaultData } from "./generate.mjs";
import { grouped, measureEvents, policyFor } from "./sql/events.mjs";
import { timed } from "./sql/in-turns.mjs";
import { planned } from "./sql/planned.mjs";
import { measureRawUsers } from "./sql/raw-users.mjs";
import { measureTpch } from "./sql/tpch.mjs";

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string" },
      rounds: { type: "string", default: "9" },
      threads: { type: "string", default: String(availableParallelism()) },
      data: { type: "string", default: defaultData },
      only: { type: "string", default: "" },
      memory: { type: "string", default: "6e9" },
      growth: { type: "boolean", default: false },
      huge: { type: "boolean", default: false },
    },
  });
  const [threads, memory] = [values.threads, values.memory].map(Number);
  const rounds = values.huge ? 1 : Number(values.rounds);
  const settings = { ...values, rounds, limits: { memory, threads } };
  for (const [measure, usual] of [
    [measureEvents, 20_000_000],
    [measureRawUsers, 10_000_000],
    [measureTpch, 6_000_000],
  ]) {
    const rows = values.huge ? 100_000_000 : Number(values.rows ?? usual);
    const whole = await measure(rows, settings);
    for (const [name, { ratio, peer }] of whole) figure(name, ratio, "× plain", peer, ratio);
    if (!values.growth) continue;
    const quarter = await measure(Math.ceil(rows / 4), settings);
    for (const [name, { ours }] of whole) {
      const before = quarter.get(name).ours;
      figure(name.replace("sql.", "sql.growth."), ours / before / 4, "× time a row at a quarter");
    }
  }
  if ("sql.plan".startsWith(values.only)) await measurePlan();
  if ("query.explain-100".startsWith(values.only)) await measureExplain();
}

/** Measures the explanation of a question of 100 sums, with its alternatives, warm. */
async function measureExplain() {
  const policy = policyFor("by-user", "events.duckdb");
  const sums = Array.from({ length: 100 }, (_, at) => `SUM(value + ${at})`).join(", ");
  const question = resolveQuestion(await parseQuestion(`SELECT ${sums} FROM events`), policy);
  const asked = { epsilon: ratio(1n), delta: parseRational("1e-7") };
  const times = [];
  for (let round = 0; round < 7; round++)
    times.push(await timed(async () => explainQuestion(question, policy, asked, policyHash(policy))));
  figure("query.explain-100", median(times.slice(2)), "ms");
}

/** Measures the time from text to engine SQL, warm. */
async function measurePlan() {
  const policy = policyFor("by-user", "events.duckdb");
  const question = grouped("grp", "AVG(value)");
  const storage = { relation: ["events", "main", "events"], layout: "snapshot" };
  const times = [];
  for (let round = 0; round < 200; round++)
    times.push(
      await timed(async () => compilePlan(await planned(question, policy), () => storage, dialects.duckdb)),
    );
  figure("sql.plan", median(times.slice(100)), "ms");
}
