import { atMost, plus } from "./fraction.mjs";

/**
 * Counts the faults in very many charges of one account, in the time of a sort: their places in the chain are the order in which they would have to
 * be told, so that no order is searched for.
 * `asked` is [{ id, principal, cost, told, begin, end }] with `told` a place in the chain or "refused"; `chain` is [{ id, place }] as the ledger
 * reports it; `granted` is { cap, shares }. Returns the number of:
 * overspent: charges at which the account's or the analyst's sum exceeds its cap;
 * lost: charges told that the chain does not hold in their place; doubled: charges of one id after its first;
 * untold: charges that nobody was told of;
 * disordered: charges told before others began that stand behind them; refused: refusals of what would have fitted at every moment at which they may
 * have been decided.
 */
export function chargeFaults(asked, chain, { cap, shares }) {
  const placeOf = new Map(chain.map(({ id, place }) => [id, place]));
  const told = asked.filter((question) => question.told !== "refused");
  const decided = decisions(told);
  const known = chain.filter(({ id }) => decided.has(id));
  const charges = known
    .map(({ id, place }) => ({ ...decided.get(id), place }))
    .sort((a, b) => a.place - b.place);
  const sums = prefixSums(charges);
  const within = ({ spent, own }, principal) =>
    atMost(spent, cap) && (!shares[principal] || atMost(own.get(principal) ?? "0/1", shares[principal]));
  return {
    overspent: charges.filter(({ principal }, i) => !within(sums[i + 1], principal)).length,
    lost: told.filter((question) => placeOf.get(question.id) !== question.told).length,
    doubled: chain.length - placeOf.size,
    untold: chain.length - known.length,
    disordered: disordered(charges),
    refused: wrongRefusals(asked, charges, sums, within),
  };
}

/** Returns the span in which each id was charged: not before the first who asked under it began, nor after one of them was told. */
function decisions(told) {
  const decided = new Map();
  for (const { id, principal, cost, begin, end } of told) {
    const before = decided.get(id) ?? { begin, end };
    const span = { begin: least(begin, before.begin), end: least(end, before.end) };
    decided.set(id, { principal, cost, ...span });
  }
  return decided;
}

function least(a, b) {
  return a < b ? a : b;
}

/** Returns the loss spent before each charge, and after the last: of the account, and of each principal. */
function prefixSums(charges) {
  const own = new Map();
  let spent = "0/1";
  const sums = [{ spent, own: new Map() }];
  for (const { principal, cost } of charges) {
    spent = plus(spent, cost);
    own.set(principal, plus(own.get(principal) ?? "0/1", cost));
    sums.push({ spent, own: new Map(own) });
  }
  return sums;
}

function disordered(charges) {
  let latestBegin = null;
  let count = 0;
  for (const { begin, end } of charges) {
    if (latestBegin !== null && end < latestBegin) count += 1;
    if (latestBegin === null || begin > latestBegin) latestBegin = begin;
  }
  return count;
}

/**
 * Counts the refusals that were wrong. Spending only grows, so a refusal is right if it is right at its latest moment, before all that began after
 * it.
 */
function wrongRefusals(asked, charges, sums, within) {
  const refusals = asked.filter(({ told }) => told === "refused").sort((a, b) => (a.end < b.end ? 1 : -1));
  const later = charges
    .map(({ begin }, index) => ({ begin, index }))
    .sort((a, b) => (a.begin < b.begin ? 1 : -1));
  let first = charges.length;
  let next = 0;
  let count = 0;
  for (const { principal, cost, end } of refusals) {
    for (; next < later.length && later[next].begin > end; next += 1)
      first = Math.min(first, later[next].index);
    const { spent, own } = sums[first];
    const mine = new Map([[principal, plus(own.get(principal) ?? "0/1", cost)]]);
    if (within({ spent: plus(spent, cost), own: mine }, principal)) count += 1;
  }
  return count;
}
