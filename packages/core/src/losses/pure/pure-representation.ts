import { pureFromRepeatAndSelect } from "../../conversions/composition/repeat-and-select.ts";
import { fromDouble, parseRational } from "../../numeric/rational.ts";
import { finite } from "../finite.ts";
import type { LossRepresentation } from "../loss-representation.ts";
import { type PureUpperLoss, pureAlgebra } from "./pure-algebra.ts";

/** Pure DP: what is proven ε-DP, and what keeps it so. A shuffle keeps the ε of every report. */
export const pureRepresentation: LossRepresentation<PureUpperLoss> = {
  algebra: pureAlgebra,
  leaf({ pure }, kind) {
    const epsilon = pure && finite(pure.epsilon);
    return epsilon === null ? null : { epsilon, tight: kind === "pure" };
  },
  special: {
    shuffle(event, adjacency) {
      const epsilon = finite(parseRational(event.epsilon));
      return adjacency === "replace-one" && epsilon !== null ? { epsilon } : null;
    },
  },
  select(loss, trials) {
    const runs =
      trials.law === "poisson"
        ? { law: trials.law, mean: parseRational(trials.mean) }
        : { law: trials.law, shape: parseRational(trials.shape), stop: parseRational(trials.stop) };
    const epsilon = finite(pureFromRepeatAndSelect(runs, fromDouble(loss.epsilon)));
    return epsilon === null ? null : { epsilon };
  },
  from: [],
};
