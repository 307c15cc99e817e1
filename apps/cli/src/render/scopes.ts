import { type PrivacyLoss, type Rational, toText } from "@lethe/core";
import { compare, subtract, zero } from "@lethe/core/numeric";
import { type PeriodBalance, type ScopeBalance, scopeWords } from "@lethe/ledger";
import { renderGrid } from "./grid.ts";
import { type Rounding, renderNumber } from "./loss.ts";

type Measure = PrivacyLoss["measure"];
type Amounts = NonNullable<PeriodBalance["cap"]>;

const nothing = "—";

/**
 * Writes caps and spending of scopes, a line for each period that has a cap: what is left is rounded down, all else up. "reserved" is the part of the account that nobody else can take.
 */
export function renderScopes(scopes: readonly ScopeBalance[], columns?: number): string {
  const header = ["scope", "over", "cap", "spent", "left", "reserved"];
  const rows = scopes.flatMap((scope) =>
    scope.periods.map((period, at) => [at === 0 ? nameOf(scope) : "", ...cellsOf(period, scope.measure)]),
  );
  return renderGrid(header, rows, [], columns);
}

/** Whether caps are told of more than the account's lifetime, which its totals tell. */
export function hasScopes([account, ...others]: readonly ScopeBalance[]): boolean {
  return others.length > 0 || (account?.periods.length ?? 0) > 1;
}

function nameOf({ scope, closed, listed }: ScopeBalance): string {
  const words = [
    ...(closed ? [scope[0] === "analyst" ? "revoked" : "closed"] : []),
    ...(listed ? [] : ["not in the policy"]),
  ];
  return words.length === 0 ? scopeWords(scope) : `${scopeWords(scope)} (${words.join(", ")})`;
}

function cellsOf({ per, since, cap, spent, reserved }: PeriodBalance, measure: Measure): readonly string[] {
  const over = per === "ever" ? "lifetime" : `${per} of ${new Date(since).toISOString().slice(0, 10)}`;
  const used = spent && amountsOf(spent);
  return [
    over,
    cap ? written(cap, measure) : "no cap",
    used ? written(used, measure) : "not shown",
    cap === null ? nothing : used ? written(leftOf(cap, used), measure, "down") : "not shown",
    reserved ? written(reserved, measure) : nothing,
  ];
}

/** The numbers that were spent; no δ is said where there is none. */
function amountsOf(loss: PrivacyLoss): Amounts {
  const main = loss.measure === "zcdp" ? loss.rho : loss.epsilon;
  return { main, delta: loss.measure === "pure" || loss.delta.num === 0n ? null : loss.delta };
}

/** The part of a cap that is not spent, of the numbers that it limits. */
function leftOf(cap: Amounts, used: Amounts): Amounts {
  const rest = (most: Rational | null, gone: Rational | null): Rational | null => {
    if (most === null) return null;
    const left = subtract(most, gone ?? zero);
    return compare(left, zero) > 0 ? left : zero;
  };
  return { main: rest(cap.main, used.main), delta: rest(cap.delta, used.delta) };
}

/** Writes the numbers that are there. */
function written({ main, delta }: Amounts, measure: Measure, rounding: Rounding = "up"): string {
  const symbol = measure === "zcdp" ? "ρ" : "ε";
  const shown = (name: string, number: Rational): string =>
    `${name} ${renderNumber(toText(number), rounding)}`;
  return [...(main ? [shown(symbol, main)] : []), ...(delta ? [shown("δ", delta)] : [])].join(", ");
}
