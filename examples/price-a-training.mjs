// node examples/price-a-training.mjs: what a private training costs, before a single gradient is computed.
import { account, dpSgdEvent, smallestNoise } from "@lethe/core";

const delta = 1e-5;
const run = { units: 60_000, batch: 256, steps: 3_515 };

// ε is an interval that is proven from both sides. Claim its upper end.
const { lower, upper } = account(dpSgdEvent({ ...run, noiseMultiplier: 1.1 })).epsilon(delta);
console.log(
  `noise multiplier 1.1 costs ε ${upper.toFixed(4)} at δ ${delta} (and at least ${lower.toFixed(4)})`,
);

// The other way round: the least noise whose proven ε stays within a target.
const target = 1;
const found = smallestNoise({
  eventAt: (noiseMultiplier) => dpSgdEvent({ ...run, noiseMultiplier }),
  epsilon: target,
  delta,
});
console.log(`ε ${target} needs a noise multiplier of ${found.value.toFixed(3)}`);
