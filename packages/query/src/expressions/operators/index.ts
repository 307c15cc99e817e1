import type { Operator } from "../operator.ts";
import { arithmetic } from "./arithmetic.ts";
import { casts } from "./cast.ts";
import { conditional } from "./conditional.ts";
import { logic } from "./logic.ts";
import type { Rules } from "./operator-rule.ts";
import { textual } from "./text.ts";
import { times } from "./times.ts";

/** The allow-list with its meanings; an operator without a rule does not compile. */
export const operatorRules: Rules<Operator> = {
  ...arithmetic,
  ...logic,
  ...conditional,
  ...textual,
  ...casts,
  ...times,
};
