// quality.<workload>: of each of the ten workloads of ./quality/workloads.mjs, our mean absolute error over all groups and draws, the geometric mean over
//   the asked columns; peer: of each column the least of OpenDP, SmartNoise SQL and Tumult Analytics at the same ε (1) over the same rows, in the same run, by the
//   question as it is asked. Ratio: ours over theirs. Targets: ≤ 1.03 in all, ≤ 0.6 in five of the seven that ask several aggregates or filter keys.
// quality.<workload>.rewritten: the same where a peer is also asked another question from which the answer can be made: a pivot and a share from one count by two keys.
// quality.<workload>.<n>: our mean error in column n, beside the least.
// quality.worst, quality.halved: the largest of the ratios, and how many of those seven are ≤ 0.6.
// --runs N: draws of each side, 10,000 unless stated, and five times as many where there are no groups. --only NAME: one workload. --peers: each peer's figures on standard error.
// Ours are releases as the product makes them from one run of the engine. A peer's noise is drawn as often by its own sampler (Tumult's: from its law by its source), at the scales that its own library
//   states for the question which it compiled: a whole query takes it 0.5 to 20 seconds. What it would answer is computed here, as its library does, and not cut to 0.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import { openDuckDb } from "@lethe/engine-duckdb";
import { readPolicy } from "@lethe/query";
import { figure } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";
import { columnOf, exactOf, truthOf } from "./quality/exact.mjs";
import { csvOf, policyOf, rowsOf } from "./quality/tables.mjs";
import { tables, workloads } from "./quality/workloads.mjs";
import { releasesOf } from "./releases.mjs";
import { runLethe } from "./workspace.mjs";

const [epsilon, delta] = ["1", "1e-6"];
const peerNames = ["opendp", "smartnoise", "tumult"];

export default async function bench(options) {
  const of = (flag) => (options.includes(flag) ? options[options.indexOf(flag) + 1] : undefined);
  const drawn = Number(of("--runs") ?? 10_000);
  if (!(drawn >= 10)) throw new Error("--runs must be at least 10");
  const wanted = workloads.filter(({ name }) => !of("--only") || name === of("--only"));
  const folder = mkdtempSync(join(tmpdir(), "lethe-quality-"));
  const rows = Object.fromEntries(Object.keys(tables).map((name) => [name, rowsOf(name)]));
  for (const name of Object.keys(tables)) writeFileSync(join(folder, `${name}.csv`), csvOf(rows[name]));
  const policyText = policyOf("approximate", 1000, delta);
  writeFileSync(join(folder, "lethe.yaml"), policyText);
  for (const name of Object.keys(tables)) runLethe(folder, ["import", `${name}.csv`]);
  const policy = readPolicy(policyText);
  const peers = peerNames.map((name) => [name, startPeer(`quality_${name}`, `.venv-${name}`)]);
  const engine = await openDuckDb({
    ...{ policy, baseDirectory: folder, stateDirectory: join(folder, ".lethe") },
    ...{ seed: "quality", log: console.error },
  });
  try {
    const ratios = [];
    for (const workload of wanted) {
      const groups = groupsOf(workload, rows[workload.table]);
      // Without groups there is one error a draw, so that more draws are needed for a mean to the percent.
      const runs = workload.groups ? drawn : 5 * drawn;
      const ours = await errorsOfOurs(workload, groups, runs, policy, engine);
      const theirs = [];
      for (const [name, peer] of peers) {
        if (peer === null) continue;
        const words = { workload, table: { ...tables[workload.table], name: workload.table }, folder };
        const { value } = await peer.ask("draws", {
          ...words,
          epsilon: Number(epsilon),
          delta: Number(delta),
          runs,
        });
        for (const way of value) {
          if (way.cannot) console.error(`${name} cannot answer ${workload.name}: ${way.cannot}`);
          else
            theirs.push({
              name,
              rewritten: way.rewritten === true,
              errors: errorsOfPeer(way, workload, groups, runs),
            });
        }
      }
      if (options.includes("--peers"))
        for (const { name, rewritten, errors } of [{ name: "lethe", errors: ours }, ...theirs])
          console.error(
            `${workload.name}: ${name}${rewritten ? " (rewritten)" : ""} ${errors.map((error) => error.toPrecision(4))}`,
          );
      const asked = best(theirs.filter(({ rewritten }) => !rewritten));
      if (ours.length > 1)
        for (const [at, error] of ours.entries())
          figure(`quality.${workload.name}.${at + 1}`, error, "error", asked?.[at] ?? null);
      figure(`quality.${workload.name}`, geometric(ours), "error", asked && geometric(asked));
      if (asked) ratios.push({ ratio: geometric(ours) / geometric(asked), several: workload.several });
      if (theirs.some(({ rewritten }) => rewritten))
        figure(`quality.${workload.name}.rewritten`, geometric(ours), "error", geometric(best(theirs)));
    }
    if (ratios.length === 0) return;
    figure("quality.worst", Math.max(...ratios.map(({ ratio }) => ratio)), "ratio");
    figure(
      "quality.halved",
      ratios.filter(({ ratio, several }) => several && ratio <= 0.6).length,
      "workloads",
    );
  } finally {
    for (const [, peer] of peers) peer?.stop();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the rows of each group that is asked about, and what is asked of them without noise. */
function groupsOf({ key, groups, columns }, rows) {
  return (groups ?? [null]).map((name) => {
    const own = name === null ? rows : rows.filter((row) => row[key] === name);
    return { name, rows: own, truths: columns.map((column) => truthOf(column, own)) };
  });
}

async function errorsOfOurs({ name, sql, columns }, groups, runs, policy, engine) {
  const asked = { epsilon: parseRational(epsilon), delta: parseRational(delta), confidence: 0.95 };
  const { release } = await releasesOf(sql, asked, policy, engine);
  const errors = columns.map(() => 0);
  for (let run = 0; run < runs; run += 1) {
    const answer = new Map(release().map(({ key, estimates }) => [nameOf(key[0]), estimates]));
    for (const group of groups) {
      const estimates = answer.get(group.name);
      if (estimates?.length !== columns.length) throw new Error(`${name}: no answer for ${group.name}`);
      for (const [at, { value }] of estimates.entries())
        errors[at] += Math.abs(value - group.truths[at]) / (runs * groups.length);
    }
  }
  return errors;
}

/** The name of a group: a day is a number. */
function nameOf(key) {
  if (key === undefined) return null;
  return typeof key === "string" ? key : new Date(Number(key) * 86_400_000).toISOString().slice(0, 10);
}

function errorsOfPeer({ measurements, columns }, workload, groups, runs) {
  const names = Object.keys(measurements);
  const errors = columns.map(() => 0);
  for (const [place, group] of groups.entries()) {
    const exact = Object.fromEntries(names.map((name) => [name, exactOf(measurements[name], group.rows)]));
    for (let run = 0; run < runs; run += 1) {
      const noisy = Object.fromEntries(
        names.map((name) => [name, exact[name] + measurements[name].noise[run * groups.length + place]]),
      );
      for (const [at, column] of columns.entries())
        errors[at] += Math.abs(columnOf(column, noisy) - group.truths[at]) / (runs * groups.length);
    }
  }
  if (errors.length !== workload.columns.length)
    throw new Error(`${workload.name}: a peer answers another question`);
  return errors;
}

/** Returns the least error of each column; null without a peer. */
function best(theirs) {
  if (theirs.length === 0) return null;
  return theirs[0].errors.map((_, at) => Math.min(...theirs.map(({ errors }) => errors[at])));
}

const geometric = (errors) =>
  Math.exp(errors.reduce((sum, error) => sum + Math.log(error), 0) / errors.length);
