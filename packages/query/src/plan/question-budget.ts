import { type PrivacyLoss, parseRational, type Rational, ratio, toText } from "@lethe/core";
import { rhoFromEpsilon } from "@lethe/core/accounting";
import { compare, divide, one, zero } from "@lethe/core/numeric";
import type { Policy } from "../policy/policy.ts";
import { refuse } from "../refusals/refuse.ts";
import type { QuestionOptions } from "../resolve/names/resolved-query.ts";

/** One question may cost no more than this by mistake, and no less than a sampler can make sense of. */
const leastEpsilon = parseRational("1e-6");
const greatestEpsilon = parseRational("1e6");

/**
 * The most that a question may cost, in the account's measure: what its options say, else the policy's defaults, else
 * for δ a hundredth of the budget's. In a zCDP account ε stands for the largest ρ that alone gives (ε, account δ)-DP.
 * Errors: query.option, query.missing-delta.
 */
export function questionBudget(
  { budget, defaults }: Pick<Policy, "budget" | "defaults">,
  options: Pick<QuestionOptions, "epsilon" | "delta">,
): PrivacyLoss {
  const epsilon = options.epsilon ?? defaults.epsilon;
  if (epsilon === null) {
    refuse(
      "query.option",
      "the question states no price",
      "state epsilon with the question, such as 0.5 (--epsilon 0.5 at the command line); or defaults: { epsilon: 0.5 } in the policy",
    );
  }
  if (!(compare(epsilon, leastEpsilon) >= 0 && compare(epsilon, greatestEpsilon) <= 0)) {
    refuse(
      "query.option",
      `epsilon must be between 0.000001 and 1000000, got ${toText(epsilon).slice(0, 40)}`,
      "state an epsilon above 0; 0.1 to 5 is usual",
    );
  }
  const delta = options.delta ?? defaults.delta ?? divide(budget.delta, ratio(100n));
  if (!(compare(delta, zero) >= 0 && compare(delta, one) < 0)) {
    refuse(
      "query.option",
      `delta must be at least 0 and below 1, got ${toText(delta).slice(0, 40)}`,
      "state delta between 0 and 1; well below 1/people is usual",
    );
  }
  return measures[budget.measure]({
    epsilon,
    delta,
    accountDelta: budget.delta,
    stated: options.delta !== null,
  });
}

interface Asked {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly accountDelta: Rational;
  readonly stated: boolean;
}

const measures: Readonly<Record<PrivacyLoss["measure"], (asked: Asked) => PrivacyLoss>> = {
  pure({ epsilon, delta, stated }) {
    if (stated && compare(delta, zero) > 0) {
      refuse("query.option", "this account is kept in pure DP, where delta is 0", "leave delta out");
    }
    return { measure: "pure", epsilon };
  },
  approximate: ({ epsilon, delta }) => ({ measure: "approximate", epsilon, delta }),
  zcdp({ epsilon, delta, accountDelta }) {
    const at = compare(accountDelta, zero) > 0 ? accountDelta : delta;
    if (!(compare(at, zero) > 0)) {
      refuse(
        "query.missing-delta",
        "in a zCDP account, epsilon needs a delta to become a ρ",
        "state delta, or budget: { delta: … } in the policy",
      );
    }
    return { measure: "zcdp", rho: rhoOf(epsilon, at), delta };
  },
};

const known = new Map<string, Rational>();
const kept = 64;

/** {@link rhoFromEpsilon} is exact and slow; services ask it for the same few numbers. */
function rhoOf(epsilon: Rational, delta: Rational): Rational {
  const key = `${toText(epsilon)} ${toText(delta)}`;
  const found = known.get(key);
  if (found) return found;
  const rho = rhoFromEpsilon(epsilon, delta);
  if (known.size >= kept) known.delete(known.keys().next().value!);
  known.set(key, rho);
  return rho;
}

/** The δ that a budget allows. */
export function deltaOf(budget: PrivacyLoss): Rational {
  return budget.measure === "pure" ? zero : budget.delta;
}
