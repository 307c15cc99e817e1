// <way> is a method, or a method with a declared target, the last column: mst, mst-target, aim, aim-target, residuals, aim-grem,
//   aim-grem-target.
// synthesis.<way>.distance: mean total-variation distance, over all pairs of columns with at most 10,000 cells, of synthetic rows from the real
//   ones at ε 1, δ 1e-9, add-or-remove-one; the mean over seeds. Peer: MST's .060 as published figures go; for AIM, MST's own.
// synthesis.<way>.seconds: from the plan to the fitted model, the median; synthesis.<way>.seconds.expected and .most: what is said beforehand of that and of drawing,
//   over what they took without the counting in memory. Target: 5 s for MST, 120 s for AIM with a model of at most 1 MB.
// synthesis.<way>.accuracy: of a logistic regression trained on synthetic rows (of two thirds of the real ones), on the last third; peer: the same
//   trained on the real rows. Target: 3 points.
// --data DIR reads adult.csv and adult-domain.json there; without it the bench makes a table of its own. --seeds 5, --only mst.

import { parseRational } from "@lethe/core";
import { planSynthesis, sizesOf, synthesisWork } from "@lethe/learn/synthesis";
import { figure, median } from "./figure.mjs";
import { accuracy, logistic } from "./synthesis/classifier.mjs";
import { made, visitsInASecond } from "./synthesis/made.mjs";
import { adult, ownTable, pairDistance, split } from "./synthesis/tables.mjs";

const budget = { measure: "approximate", epsilon: parseRational("1"), delta: parseRational("1e-9") };
const ways = ["mst", "mst-target", "aim", "aim-target", "residuals", "aim-grem", "aim-grem-target"];
const caps = { mst: 80e6, aim: 1e6, residuals: 80e6, "aim-grem": 80e6 };

export default async function bench(options) {
  const option = (name, otherwise) => {
    const at = options.indexOf(`--${name}`);
    return at < 0 ? otherwise : options[at + 1];
  };
  const folder = option("data", null);
  const seeds = Array.from({ length: Number(option("seeds", 5)) }, (_, at) => at + 1);
  const only = option("only", null);
  const { domain, columns } = folder ? adult(folder) : ownTable();
  const sizes = sizesOf(domain);
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  let best = 0.06;
  for (const way of ways) {
    if (only !== null && only !== way) continue;
    const [method, target] = [way.replace("-target", ""), way.endsWith("-target")];
    const plan = planSynthesis({
      ...(target ? { target: domain.at(-1).name } : {}),
      ...{ method, domain, adjacency: "add-or-remove-one", budget, modelBytes: caps[method] },
    });
    const [distances, seconds, own, accuracies] = [[], [], [], []];
    for (const seed of seeds) {
      const whole = await made(plan, columns, seed);
      distances.push(pairDistance(sizes, columns, whole.columns));
      seconds.push(whole.seconds.fitted);
      own.push(whole.seconds.own);
      const [train, test] = split(columns, seed);
      const part = await made(plan, train, seed + 100);
      const real = accuracy(logistic(sizes, train, seed), test);
      accuracies.push({ real, drawn: accuracy(logistic(sizes, part.columns, seed), test) });
    }
    figure(`synthesis.${way}.distance`, mean(distances), "TV", best);
    figure(`synthesis.${way}.distance.worst`, Math.max(...distances), "TV");
    figure(`synthesis.${way}.seconds`, median(seconds), "s", { mst: 5, aim: 120 }[method] ?? null);
    const work = synthesisWork(plan, columns[0].length);
    const speed = visitsInASecond();
    figure(`synthesis.${way}.seconds.expected`, work.expected / speed, "s", median(own));
    figure(`synthesis.${way}.seconds.most`, work.most / speed, "s", median(own));
    const [drawn, real] = [accuracies.map((each) => each.drawn), accuracies.map((each) => each.real)].map(
      mean,
    );
    figure(`synthesis.${way}.accuracy`, 100 * drawn, "%", 100 * real);
    figure(`synthesis.${way}.accuracy.lost`, 100 * (real - drawn), "points", 3);
    if (way === "mst") best = mean(distances);
  }
}
