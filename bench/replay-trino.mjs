// npm run bench -- replay-trino [--questions 2000] [--neighbours 4] [--whole 100] [--seed 1] [--heap 2048]: no clock. The replay of bench/replay.mjs by a Trino: the one that LETHE_TRINO names, whose user owner may write, or one of its own.
// replay-trino.questions: questions to random policies of several tables whose exact aggregates over tables that differ in one unit were compared with the derived sensitivities, of the tables as they lie and as a snapshot has
// them; replay-trino.differences: of them and of the reference's aggregates (target 0). replay-trino.whole: requests that went the whole way, from text to signed bytes and the ledger's records, with every draw frozen.
// replay-trino.findings: measurements that moved farther than derived, and differences beside the noise (target 0). replay-trino.moved: plans that a price of nothing would be refuted of.
import { parseArgs } from "node:util";
import { startTrino } from "../scripts/trino/cluster.mjs";
import { figure } from "./figure.mjs";
import { reportOf } from "./report-of.mjs";

const forms = ["a table of people", "several private tables", "the tables of a shop"];

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      questions: { type: "string", default: "2000" },
      neighbours: { type: "string", default: "4" },
      whole: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      heap: { type: "string", default: "2048" },
    },
  });
  const started = process.env.LETHE_TRINO ? null : await startTrino({ heapMiB: Number(values.heap) });
  const server = { LETHE_TRINO: started?.url ?? process.env.LETHE_TRINO };
  try {
    const [pairs] = reportOf("testing/src/trino/pairs.test.ts", "", {
      ...server,
      TRINO_PAIRS: values.questions,
      TRINO_PAIRS_NEIGHBOURS: values.neighbours,
      POLICY_PAIRS_SEED: values.seed,
    });
    const whole = reportOf("testing/src/trino/neighbours.test.ts", "", {
      ...server,
      NEIGHBOURS_REQUESTS: values.whole,
      NEIGHBOURS_EACH: values.neighbours,
      NEIGHBOURS_SEED: values.seed,
    }).filter(({ what }) => forms.some((form) => what === `${form} on Trino`));
    const sum = (name) => whole.reduce((all, each) => all + each[name], 0);
    figure(
      "replay-trino.questions",
      pairs.questions,
      `questions, ${pairs.refused} refused, ${pairs.neighbours} neighbours each`,
    );
    figure("replay-trino.plans", pairs.plans, "plans");
    figure("replay-trino.moved", pairs.moved, "plans");
    figure("replay-trino.differences", pairs.differences, `of ${pairs.plans} plans`, 0, null);
    figure(
      "replay-trino.whole",
      sum("requests"),
      `requests, ${sum("answered")} answered, ${values.neighbours} neighbours each`,
    );
    figure("replay-trino.findings", pairs.findings + sum("findings"), "findings", 0, null);
  } finally {
    await started?.stop();
  }
}
