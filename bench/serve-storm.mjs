// A storm over one ledger: many clients over HTTP, the model context protocol, PostgreSQL's protocol and the command line at once, on the built `lethe serve` in processes of their own, with kills, restarts, clients that leave, and a clock
// that jumps forward and back. See testing/src/serve/storm.
// serve-storm.questions, .calls, .answered, .refused, .kills, .left, .jumps: how much happened. serve-storm.overspent, .unpaid, .lost, .doubled, .refused-wrongly: promises broken, by a model of its own (target 0 each).
// serve-storm.chain: 1 where the whole chain verifies (target 1).
// Options: --questions N (100,000), --clients N (64), --every N: questions between two kills (2,000), --seed N, --commands SHARE (0.005).

import { runStorm } from "../testing/src/serve/storm/run-storm.mjs";
import { figure } from "./figure.mjs";

export default async function bench(options) {
  const option = (name, otherwise) => {
    const place = options.indexOf(name);
    return place < 0 ? otherwise : Number(options[place + 1]);
  };
  const asked = {
    questions: option("--questions", 100_000),
    clients: option("--clients", 64),
    every: option("--every", 2000),
    seed: option("--seed", 1),
    commands: option("--commands", 0.005),
    told: (line) => console.error(line),
  };
  const { found, verified, happened, charges } = await runStorm(asked);
  for (const [kind, lines] of Object.entries(found))
    for (const line of lines.slice(0, 10)) console.error(`${kind}: ${line}`);
  console.error(JSON.stringify(happened.codes));
  figure("serve-storm.questions", asked.questions, "questions");
  figure("serve-storm.calls", happened.calls.length, "calls");
  for (const outcome of ["answered", "refused", "unknown"])
    figure(
      `serve-storm.${outcome}`,
      happened.calls.filter((call) => call.outcome === outcome).length,
      "calls",
    );
  for (const by of ["http", "mcp", "wire", "command"])
    figure(`serve-storm.by-${by}`, happened.calls.filter((call) => call.by === by).length, "calls");
  figure("serve-storm.charges", charges.length, "charges");
  for (const what of ["kills", "left", "jumps"]) figure(`serve-storm.${what}`, happened[what], "times");
  const { refused, ...promises } = found;
  for (const [kind, lines] of Object.entries(promises))
    figure(`serve-storm.${kind}`, lines.length, `of ${charges.length} charges`);
  figure("serve-storm.refused-wrongly", refused.length, "refusals");
  figure("serve-storm.chain", verified ? 1 : 0, "chains");
}
