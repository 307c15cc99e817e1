import type { SelectionRule } from "@lethe/core/accounting";
import { keepProbability } from "@lethe/core/mechanisms";
import { type Domain, isIntegral, publicKeys } from "../expressions/domain.ts";
import { expectedRows } from "../plan/expected-error/expected-group-rows.ts";
import type { Plan } from "../plan/plan.ts";
import type { Policy } from "../policy/policy.ts";
import { plural } from "../refusals/plural.ts";
import type { Warning } from "./warning.ts";

/** The multiple of its even share of the rows that a group is granted, before its release counts as hopeless. */
const largestShare = 4;
/** A group whose chance is below this is as good as never released. */
const hopeless = 0.05;

/** Returns the notice about private keys that everybody must read before paying; null where keys are public. */
export function keyNotice(plan: Plan): string | null {
  const { program } = plan.keys;
  if (program.kind !== "private") return null;
  const { rule } = program;
  const [half, most] = [unitsAt(rule, 0.5), unitsAt(rule, 0.95)];
  const { names, areListed } = privateKeys(plan);
  const keys = names.length > 1 ? "are keys" : "is a key";
  const why = areListed ? "whose listed values the question does not use" : "that the policy does not list";
  return (
    `${names.join(" and ")} ${keys} ${why}, so a group is released ` +
    `by chance: a group of ${plural(half, "unit")} one time in two, a group of ${plural(most, "unit")} 95 times in 100, and smaller groups hardly ever`
  );
}

/**
 * Warns of keys that are data where no group is likely to be released: not even one of several times its even share of the rows
 * that the policy expects. The warning depends on public figures alone. Null where the policy expects no number of rows, or
 * chances are fair.
 */
export function hopelessKeys(plan: Plan, policy: Policy): Warning | null {
  const { program, parts } = plan.keys;
  const rows = expectedRows(plan, policy);
  if (program.kind !== "private" || rows === null) return null;
  const { rule } = program;
  const possible = parts.reduce((product, { expression }) => product * keysAtMost(expression.domain), 1);
  // Where the number of groups is not known, one of them may hold all rows.
  const share = Number.isFinite(possible)
    ? Math.min(rows, Math.ceil((largestShare * rows) / possible))
    : rows;
  const chance = keepProbability(rule, BigInt(share));
  if (!(chance < hopeless)) return null;
  const among = Number.isFinite(possible) ? ` among ${possible} possible groups` : "";
  return {
    message:
      `hardly any group of ${privateKeys(plan).names.join(" and ")} will be released: a group needs ${plural(unitsAt(rule, 0.5), "unit")} for an even chance, ` +
      `and the policy expects ${plural(rows, "row")}${among}`,
    fix: `${cure(plan)}, or pay more epsilon`,
  };
}

/** Returns the keys for which groups are chosen: those that the policy does not list, and else all, which a question may take as data. */
function privateKeys({ keys: { parts } }: Plan): {
  readonly names: readonly string[];
  readonly areListed: boolean;
} {
  const unlisted = parts.filter(({ expression }) => publicKeys(expression.domain) === null);
  const areListed = unlisted.length === 0;
  return { names: (areListed ? parts : unlisted).map(({ name }) => name), areListed };
}

/** Returns the most groups that a key can have, as far as that is public; Infinity where it is not. */
function keysAtMost(domain: Domain): number {
  const known = publicKeys(domain);
  if (known) return known.length;
  if (!isIntegral(domain) || !("bounds" in domain) || domain.bounds === null) return Number.POSITIVE_INFINITY;
  return domain.bounds[1] - domain.bounds[0] + 1 + (domain.nullable ? 1 : 0);
}

/** Suggests broader keys that are public. */
function cure({ keys }: Plan): string {
  const key = keys.parts.find(({ expression }) => publicKeys(expression.domain) === null);
  const domain = key?.expression.domain;
  if (key && domain?.type === "number" && domain.bounds) {
    const [lo, hi] = domain.bounds;
    return `group by WIDTH_BUCKET(${key.name}, ${lo}, ${hi}, 10), whose keys are public`;
  }
  return `list categories of ${key ? key.name : "the keys"} in the policy, from what is public`;
}

/** Returns the least number of units at which a group is released with this chance. */
function unitsAt(rule: SelectionRule, chance: number): number {
  let [below, enough] = [0, 1];
  while (keepProbability(rule, BigInt(enough)) < chance) [below, enough] = [enough, enough * 2];
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2);
    if (keepProbability(rule, BigInt(middle)) < chance) below = middle;
    else enough = middle;
  }
  return enough;
}
