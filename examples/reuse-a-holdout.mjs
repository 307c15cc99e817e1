// node examples/reuse-a-holdout.mjs: an analyst who fits noise is told so by a holdout that can be asked again and again, and not by a bare one.
import { price, secureEntropy } from "@lethe/core";
import { openThresholdout, thresholdoutEvent, thresholdoutFor } from "@lethe/core/mechanisms";
import { toDecimal } from "@lethe/core/numeric";

const [records, features] = [2_000, 1_000];
const coins = secureEntropy();
/** −1 or 1: every feature and every label is a coin, so that no classifier is right on more than half of fresh records. */
const sign = () => (coins.word() & 1 ? 1n : -1n);
const sample = () => ({
  labels: Array.from({ length: records }, sign),
  features: Array.from({ length: features }, () => Array.from({ length: records }, sign)),
});

/** One number a record: label × feature, or label × vote of some features. Its mean tells how well they predict. */
const agreement = ({ labels, features }, j) => labels.map((label, i) => label * features[j][i]);
function votes({ labels, features }, chosen) {
  return labels.map((label, i) => {
    const vote = chosen.reduce((sum, { j, way }) => sum + way * features[j][i], 0n);
    return vote === 0n ? 0n : vote * label > 0n ? 1n : -1n;
  });
}
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0n);

/** Keeps the features that agree with the label on both sets, and lets them vote. `ask` answers for the holdout, as a sum. */
function overfit(training, holdout, ask) {
  const clear = BigInt(Math.round(Math.sqrt(records) / 2));
  const chosen = [];
  for (let j = 0; j < features; j++) {
    const trained = agreement(training, j);
    const told = ask(trained, agreement(holdout, j));
    const seen = sumOf(trained);
    if (seen > clear && told > clear) chosen.push({ j, way: 1n });
    if (seen < -clear && told < -clear) chosen.push({ j, way: -1n });
  }
  return { chosen, told: ask(votes(training, chosen), votes(holdout, chosen)) };
}

const accuracy = (sum) => `${(50 + (50 * Number(sum)) / records).toFixed(1)} %`;
const [training, holdout, fresh] = [sample(), sample(), sample()];

const bare = overfit(training, holdout, (_, values) => sumOf(values));
console.log(
  `a bare holdout says ${accuracy(bare.told)}, fresh records ${accuracy(sumOf(votes(fresh, bare.chosen)))}`,
);

// Charged before the first question, for its whole life: up to 1,001 questions, of which 2 may be told as overfits.
const setting = thresholdoutFor({
  range: { lo: -1n, hi: 1n },
  holdoutSize: BigInt(records),
  threshold: 400n,
  overfits: 2n,
  epsilon: { num: 2n, den: 1n },
});
const { epsilon } = price(thresholdoutEvent(setting), { measure: "pure" });
const reusable = openThresholdout(setting, coins);
const kept = overfit(training, holdout, (trained, held) => reusable.ask(trained, held).sum);
console.log(
  `one that is asked through thresholdout says ${accuracy(kept.told)}, fresh records ${accuracy(sumOf(votes(fresh, kept.chosen)))}`,
);
console.log(
  `${features + 1} questions cost a record of the holdout ε ${toDecimal(epsilon, "up", 3)}; overfits left to tell: ${reusable.left}`,
);
