import { parseRational, type Rational, ratio, toDouble } from "@lethe/core";
import { compare, multiply } from "@lethe/core/numeric";
import type { Policy } from "../policy.ts";
import { lintJoins } from "./lint-joins.ts";
import type { PolicyWarning } from "./policy-warning.ts";

const largestEpsilon = parseRational("5");
const hundredth = parseRational("0.01");

/** ε at δ = 1e-6 of a ρ, in a double: for words alone, never for a price. Bun & Steinke 2016, Prop. 1.3. */
function epsilonForWords(rho: Rational): number {
  const r = toDouble(rho, "up");
  return r + 2 * Math.sqrt(r * Math.log(1e6));
}

/**
 * Warns of numbers that promise people little: δ is the chance that the promise fails altogether, so it must be far below 1/n; ε
 * beyond 5 or so lets an attacker's odds grow by e^5. Uses the public expected_rows alone. Never refuses.
 */
export function lintPolicy(policy: Policy): PolicyWarning[] {
  const warnings: PolicyWarning[] = [];
  const { budget, defaults } = policy;
  const epsilon = budget.epsilon
    ? toDouble(budget.epsilon, "up")
    : budget.rho
      ? epsilonForWords(budget.rho)
      : 0;
  if (epsilon > toDouble(largestEpsilon, "up"))
    warnings.push({
      path: "budget",
      message: `over its whole life this account allows ε = ${epsilon.toPrecision(3)}: what an attacker believes about one ${policy.privacyUnit.name} may shift by a factor of e^ε`,
      fix: "0.1 to 5 is the usual range; choose a smaller budget unless the data are mild",
    });
  for (const [name, table] of Object.entries(policy.tables)) {
    if (table.trusted)
      warnings.push({
        path: `tables.${name}.trusted`,
        message: `the policy trusts ${name}: nothing checks that a row can never make reading it fail, or that what is read of one ${policy.privacyUnit.name} depends on no other; if either is wrong, answers reveal single rows at no price`,
        fix: "name a table that stores these rows and remove trusted: true",
      });
    if (table.expectedRows === null) continue;
    const rows = ratio(BigInt(table.expectedRows));
    for (const [path, delta] of [
      ["budget.delta", budget.delta],
      ["defaults.delta", defaults.delta],
    ] as const)
      if (delta && compare(multiply(delta, rows), hundredth) >= 0)
        warnings.push({
          path,
          message: `δ is the chance that the promise fails; with about ${table.expectedRows} rows in ${name} it is not far below 1/${table.expectedRows}, and publishing a random row would satisfy such a δ`,
          fix: `write a δ below ${(0.01 / table.expectedRows).toExponential(0)}, or leave the warning if ${name} is public`,
        });
  }
  const kinds = new Set(Object.values(policy.tables).map(({ unit }) => unit.kind));
  if (kinds.has("row") && (kinds.has("column") || kinds.has("through")))
    warnings.push({
      path: "tables",
      message: `one budget covers tables whose unit is a row and tables whose unit is a column: a ${policy.privacyUnit.name} with many rows in a unit: row table is not protected there as a whole`,
      fix: "give every table the column that names the unit, or keep unlike units in separate policies with ledgers of their own",
    });
  if (defaults.epsilon && budget.epsilon && compare(defaults.epsilon, budget.epsilon) > 0)
    warnings.push({
      path: "defaults.epsilon",
      message: "a question that states no ε costs more than the whole budget",
      fix: "lower defaults.epsilon to a part of the budget",
    });
  return [...warnings, ...lintJoins(policy)];
}
