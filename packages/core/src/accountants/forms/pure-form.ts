import { type PureCarrierLoss, pureCarrier } from "../../carriers/pure.ts";
import { pureFromRepeatAndSelect } from "../../conversions/repeat-and-select.ts";
import { fromDouble, parseRational } from "../../numeric/rational.ts";
import type { Form } from "../form.ts";
import { finite } from "./finite.ts";

/** Pure DP: what is proven ε-DP, and what keeps it so. A shuffle keeps the ε of every report. */
export const pureForm: Form<PureCarrierLoss> = {
  carrier: pureCarrier,
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
