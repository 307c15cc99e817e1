import type { Adjacency } from "../policy/policy.ts";

/** How far one unit can move an integer vector over groups. */
export interface ContributionRange {
  /** The least and the greatest value of a unit in a group that it is in. */
  readonly low: bigint;
  readonly high: bigint;
  /** k: the most groups that a unit may be in. */
  readonly groups: bigint;
  /** The number of all groups, where that is public; null where keys are data. */
  readonly allGroups: bigint | null;
  /** Whether there is one group, and every unit of every data set has a value within [low, high] in it. */
  readonly alwaysPresent: boolean;
}

/** The sensitivity of the integer vector over groups: the greatest distance between any two neighbouring data sets. Exact. */
export interface Sensitivity {
  readonly l1: bigint;
  readonly l2Squared: bigint;
}

/**
 * Returns the ℓ1 sensitivity and the squared ℓ2 sensitivity of a per-group sum over units. Proof: ./sensitivity.proof.md.
 * @example sensitivityOf("add-or-remove-one", { low: 0n, high: 5n, groups: 3n, allGroups: null, alwaysPresent: false })
 * // => { l1: 15n, l2Squared: 75n }
 */
export function sensitivityOf(adjacency: Adjacency, range: ContributionRange): Sensitivity {
  return { l1: rules[adjacency](range, (x) => x), l2Squared: rules[adjacency](range, (x) => x * x) };
}

/** How far one unit can move the counts of a tree of cells. */
export interface TreeContribution extends Pick<ContributionRange, "groups" | "allGroups"> {
  /** The most that a unit's cells in one group sum to. */
  readonly most: bigint;
  /** The number of noisy levels: each holds the cells' sum once. */
  readonly levels: bigint;
}

/**
 * Returns the ℓ1 and squared ℓ2 sensitivity of the nodes of a tree over groups. A unit moves them by at most most·levels and
 * most²·levels a group, all in one cell; a unit that takes another's place can lie in cells, or groups, of its own. Proof:
 * ./sensitivity.proof.md.
 * @example treeSensitivity("replace-one", { most: 5n, levels: 3n, groups: 2n, allGroups: null }) // => { l1: 60n, l2Squared: 300n }
 */
export function treeSensitivity(
  adjacency: Adjacency,
  { most, levels, ...range }: TreeContribution,
): Sensitivity {
  const units = adjacency === "replace-one" ? 2n : 1n;
  const nodes = units * cappedGroups(range) * levels;
  return { l1: nodes * most, l2Squared: nodes * most * most };
}

type Rule = (range: ContributionRange, cost: (change: bigint) => bigint) => bigint;

const rules: Readonly<Record<Adjacency, Rule>> = {
  "add-or-remove-one": (range, cost) => cappedGroups(range) * cost(magnitude(range)),

  "replace-one": (range, cost) => {
    const spread = cost(range.high - range.low);
    if (range.alwaysPresent) return spread;
    const k = cappedGroups(range);
    // j groups hold both the old and the new unit, `single` groups hold one of them.
    const total = (j: bigint): bigint => {
      const free = 2n * (k - j);
      const single = range.allGroups === null ? free : smaller(free, range.allGroups - j);
      return single * cost(magnitude(range)) + j * spread;
    };
    // Piecewise linear in j: the greatest value lies at an end or at the one bend.
    const bend = range.allGroups === null ? 0n : larger(0n, 2n * k - range.allGroups);
    return larger(total(0n), larger(total(bend), total(k)));
  },
};

function cappedGroups({ groups, allGroups }: Pick<ContributionRange, "groups" | "allGroups">): bigint {
  return allGroups === null ? groups : smaller(groups, allGroups);
}

/** Returns the most that the presence of a unit changes a group. */
export function magnitude({ low, high }: { readonly low: bigint; readonly high: bigint }): bigint {
  return larger(low < 0n ? -low : low, high < 0n ? -high : high);
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
