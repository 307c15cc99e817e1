// An attacker with a stopwatch, who asks one service whether a person is in its data. The two data sets are neighbours: one person, who has half of all rows, is in one of them. The attacker asks counts, each of
// another question, beside as much load of their own as tells most, and guesses by how long an answer took, or by whether it failed.
// serve-stopwatch.off.advantage: true positives less false ones of the best threshold, found on half of the trials and measured on the other half; no release_schedule. 0: nothing is learned; 1: all.
// serve-stopwatch.on.advantage: the same under a release_schedule whose slot the attacker's load brings an answer to the edge of. .on.failed: the share of answers that failed at the slot, with the person.
// serve-stopwatch.on.stopped-after: failures after which the ledger's cap of failures ends the attack, unless the owner grants more; the attack above is measured with more granted.
// serve-stopwatch.error: what two runs without any difference would differ by at most, in 95 of 100 cases.
// No release_schedule hides time: the figure is told, and timing stays outside the guarantee.
// Options: --trials N (60: for each data set and load), --rows N (400,000), --slot MS (the schedule; by default the time that 70 in 100 answers take with the person).
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { send, startService } from "../testing/src/serve/service-process.mjs";
import { figure } from "./figure.mjs";
import { makeWorkspace, runLethe } from "./workspace.mjs";

export default async function bench(options) {
  const option = (name, otherwise) => {
    const place = options.indexOf(name);
    return place < 0 ? otherwise : Number(options[place + 1]);
  };
  const [trials, rows] = [option("--trials", 60), option("--rows", 400_000)];
  const worlds = [false, true].map((isIn) => worldOf(rows, isIn));
  try {
    const off = await attack(worlds, [0, 2, 6], trials);
    figure("serve-stopwatch.off.advantage", off.advantage, "of 1");
    figure("serve-stopwatch.off.load", off.load, "questions at once");
    const times = off.withPerson.map(({ ms }) => ms).sort((a, b) => a - b);
    const slot = option("--slot", Math.max(1, Math.round(times[Math.floor(times.length * 0.7)])));
    for (const { folder } of worlds)
      appendFileSync(join(folder, "lethe.yaml"), `\nrelease_schedule: ${slot}ms\n`);
    figure("serve-stopwatch.on.slot", slot, "ms");
    figure("serve-stopwatch.on.stopped-after", await stoppedAfter(worlds[1]), "failures");
    for (const { folder } of worlds)
      for (const whose of [[], ["--analyst", "eve"]])
        runLethe(folder, [
          "budget",
          "grant",
          "--failures",
          "1000000",
          "--reason",
          "an attack to be measured",
          ...whose,
        ]);
    const on = await attack(worlds, [0, 2, 6], trials);
    figure("serve-stopwatch.on.advantage", on.advantage, "of 1");
    figure("serve-stopwatch.on.load", on.load, "questions at once");
    figure(
      "serve-stopwatch.on.failed",
      on.withPerson.filter(({ failed }) => failed).length / on.withPerson.length,
      "of 1",
    );
    figure("serve-stopwatch.error", 1.96 * Math.sqrt(0.5 / (trials / 2)), "of 1");
  } finally {
    for (const { remove } of worlds) remove();
  }
}

/** Asks beside a load of one's own, at a slot that nothing meets, until the cap of failures ends it; returns how many failed before. */
async function stoppedAfter({ folder, token }) {
  const service = await startService(folder);
  const asked = asker(service, token);
  let failures = 0;
  let isOver = false;
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let turn = 0; !isOver && turn < 25; turn += 1) {
        const { failed, capped } = await asked.ask();
        if (failed) failures += 1;
        isOver ||= capped;
      }
    }),
  );
  await asked.close();
  await service.stop();
  return isOver ? failures : null;
}

/** Makes a data set of visits; in the one with the person, theirs are half of them. */
function worldOf(rows, isIn) {
  const lines = [];
  for (let at = 0; at < rows / 2; at += 1) lines.push(`p${at % 5000},${(at % 6000) / 100}`);
  if (isIn) for (let at = 0; at < rows / 2; at += 1) lines.push(`zoe,${(at % 6000) / 100}`);
  const workspace = makeWorkspace(
    `person,amount\n${lines.join("\n")}\n`,
    ["--bounds", "amount=0..60", "--epsilon", "1000000", "--max-rows", "20"],
    ["person"],
  );
  const [token] = /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(runLethe(workspace.folder, ["people", "add", "eve"]));
  // A cap of failures of her own can be raised for whom the policy lists alone.
  const path = join(workspace.folder, "lethe.yaml");
  const listed = readFileSync(path, "utf8").replace(
    /^(budget: \{.*?) \}/m,
    "$1, analysts: { eve: 1000000 } }",
  );
  writeFileSync(path, listed);
  runLethe(workspace.folder, ["budget", "apply", "--reason", "an attack to be measured", "--yes"]);
  return { ...workspace, token };
}

/** Tries every load on both data sets; returns the one that told most on one half of its trials, with what it told on the other half. */
async function attack(worlds, loads, trials) {
  const seen = [];
  for (const { folder, token } of worlds) {
    const service = await startService(folder);
    const asked = asker(service, token);
    await asked.ask();
    const told = new Map();
    for (const load of loads) told.set(load, await trialsUnder(asked, load, trials));
    await asked.close();
    await service.stop();
    seen.push(told);
  }
  const [without, with_] = seen;
  const tried = loads.map((load) => {
    const [no, yes] = [without.get(load), with_.get(load)];
    const rule = bestRule(half(no, 0), half(yes, 0));
    return {
      load,
      rule,
      trained: rule.advantage,
      advantage: advantageOf(rule, half(no, 1), half(yes, 1)),
      withPerson: yes,
    };
  });
  return tried.reduce((best, each) => (each.trained > best.trained ? each : best));
}

/** Asks one question after the other, each beside so many of the attacker's own; returns how each ended. */
async function trialsUnder(asked, load, trials) {
  let isOver = false;
  const busy = Array.from({ length: load }, async () => {
    while (!isOver) await asked.ask();
  });
  const results = [];
  for (let trial = 0; trial < trials; trial += 1) results.push(await asked.ask());
  isOver = true;
  await Promise.all(busy);
  return results;
}

let questions = 0;

function asker({ port }, token) {
  const agent = new Agent({ keepAlive: true });
  return {
    async ask() {
      const sql = `SELECT COUNT(*) AS n FROM people WHERE amount > ${(questions++ % 590_000) / 10_000}`;
      const body = JSON.stringify({ sql, epsilon: "0.5", acceptUninformative: true });
      const began = performance.now();
      const { status, text } = await send({ port, agent, method: "POST", path: "/v1/query", token, body });
      const ms = performance.now() - began;
      const code = status === 200 ? null : JSON.parse(text).code;
      if (![null, "engine.failed", "ledger.failures"].includes(code)) throw new Error(text);
      return { ms, failed: code === "engine.failed", capped: code === "ledger.failures" };
    },
    close: async () => agent.destroy(),
  };
}

const half = (results, which) => results.filter((_, at) => at % 2 === which);

/** The rule that says "in the data" where an answer failed or took at least so long, or the other way round, and the most that any such rule tells. */
function bestRule(no, yes) {
  const cuts = [...no, ...yes].map(({ ms }) => ms);
  const rules = [
    { by: "failed", sign: 1 },
    { by: "failed", sign: -1 },
    ...cuts.flatMap((cut) => [1, -1].map((sign) => ({ by: "ms", cut, sign }))),
  ];
  return rules
    .map((rule) => ({ ...rule, advantage: advantageOf(rule, no, yes) }))
    .reduce((best, each) => (each.advantage > best.advantage ? each : best));
}

function advantageOf(rule, no, yes) {
  const says = ({ ms, failed }) => (rule.by === "failed" ? failed : ms >= rule.cut);
  const share = (results) => results.filter(says).length / results.length;
  return rule.sign * (share(yes) - share(no));
}
