import { account, type Event, LetheError, price, type Rational, toDecimal, toDouble } from "@lethe/core";
import { fromDouble, zero } from "@lethe/core/numeric";

/** (ε, δ)-DP: one point of a mechanism's privacy curve. */
export interface Point {
  readonly epsilon: Rational;
  readonly delta: Rational;
}

/** The cost that a mechanism claims: all points hold at once, or the claim is false. */
export interface Claim {
  readonly text: string;
  readonly points: readonly Point[];
}

/** ε-DP, or (ε, δ)-DP. @example pureClaim(ratio(1n)).text // => "ε = 1" */
export function pureClaim(epsilon: Rational, delta: Rational = zero): Claim {
  const text = `ε = ${toDecimal(epsilon, "up", 4)}`;
  return {
    text: delta.num === 0n ? text : `${text}, δ = ${toDouble(delta, "up").toPrecision(3)}`,
    points: [{ epsilon, delta }],
  };
}

/** The values of ε at which a privacy curve is checked: from total variation to far tails. */
const farApart = [0, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8];

/**
 * Returns the claim of an event: its pure ε, where it has one; else points of its privacy curve, rounded toward more loss. So a mechanism is held to
 * the same record that a ledger would charge for it. `epsilons`: where the points lie.
 * Errors: parameter.invalid for a broken event; account.unprovable where nothing is claimed.
 * @example claimOf({ kind: "laplace", version: 1, scale: "2", l1: "1" }).text // => "ε = 0.5"
 */
export function claimOf(
  event: Event,
  adjacency: "add-or-remove-one" | "replace-one" = "add-or-remove-one",
  epsilons: readonly number[] = farApart,
): Claim {
  const epsilon = pureEpsilon(event);
  if (epsilon !== null) return pureClaim(epsilon);
  const curve = account(event, { adjacency });
  const points = epsilons
    .map((each) => ({ each, delta: curve.delta(each).upper }))
    .filter(({ delta }) => delta < 1)
    .map(({ each, delta }) => ({ epsilon: fromDouble(each), delta: fromDouble(delta) }));
  const shown = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1].find((delta) => curve.epsilon(delta).upper < 64) ?? 0.5;
  const epsilonShown = curve.epsilon(shown).upper.toPrecision(4);
  return { text: `ε = ${epsilonShown} at δ = ${shown.toExponential()}, and its curve`, points };
}

function pureEpsilon(event: Event): Rational | null {
  try {
    const loss = price(event, { measure: "pure" });
    return loss.measure === "pure" ? loss.epsilon : null;
  } catch (error) {
    if (error instanceof LetheError && error.code !== "internal.invariant") return null;
    throw error;
  }
}
