import type { Mechanism } from "../mechanism.ts";
import { integer, notNegative } from "../parameters.ts";

/** Shuffled reports. What shuffling is worth is a theorem of amplification, in doubles: no exact account charges it. */
export const shuffle: Mechanism<"shuffle"> = {
  kind: "shuffle",
  losses(event) {
    integer(event.reports, "reports", 1n);
    notNegative(event.epsilon, "epsilon");
    return { pure: null, mixed: null, zcdp: null };
  },
};
