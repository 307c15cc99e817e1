import type { KeyValue } from "@lethe/core/mechanisms";
import { publicKeys } from "../../expressions/domain.ts";
import { refuse } from "../../refusals/refuse.ts";
import { keptSources, ownerOf, type Relation, tablesOf } from "../../relations/relation.ts";
import type { PostExpression, ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import type { PlannedContribution } from "../plan.ts";
import { mostRowsOfUnit } from "../unit-contribution.ts";
import { declaredKeys, maxPublicKeys } from "./declared-keys.ts";
import { type LimitedTotals, limitTotals } from "./limit-totals.ts";
import { everyPublicKey, type PublicKeyLists, publicKeyLists } from "./public-key-lists.ts";
import type { TrackedQuestion } from "./track-unit.ts";

/** The question with what one unit may contribute, and with what is public of its keys. */
export interface LimitedQuestion extends TrackedQuestion {
  readonly contribution: PlannedContribution;
  readonly keys: LimitedKeys;
  readonly totals: readonly LimitedTotals[];
}

export type LimitedKeys =
  | { readonly kind: "none" }
  | { readonly kind: "public"; readonly declared: readonly (readonly KeyValue[])[] }
  | { readonly kind: "private" };

/** More groups a unit than this no noise could hide and no engine would rank. */
const maxGroups = 100_000;

/**
 * Settles k and r, the groups a unit may be in and its rows in each, and whether keys are public.
 * Errors: query.option where the question asks for more than the policy grants, or for public keys that are not;
 * query.unsupported where rows are to be bounded before the filter, and are not those of one table.
 */
export function limitContributions(tracked: TrackedQuestion): LimitedQuestion {
  const { granted, options } = tracked;
  const { from } = tracked.question;
  const enforced = tracked.unit.kind === "column";
  const boundsRows = enforced && granted.limit === "rows-before-filter";
  if (granted.limit === "rows-before-filter" && ownerOf(from) === "column") demandOneTable(from);
  const lists = options.everyPublicKey ? everyPublicKey(tracked.question) : publicKeyLists(tracked.question);
  const keys = limitKeys(tracked, lists);
  const { groups, rows } = statedLimits(tracked, groupsAtMost(keys));
  if (rows > mostRowsOfUnit) {
    refuse(
      "query.option",
      `a unit may contribute at most ${mostRowsOfUnit} rows to a group`,
      `state max_rows_contributed_per_group of at most ${mostRowsOfUnit}`,
    );
  }
  if (groups > maxGroups) {
    refuse(
      "query.option",
      `a unit may contribute to at most ${maxGroups} groups`,
      `state max_groups_contributed of at most ${maxGroups}`,
    );
  }
  const contribution: PlannedContribution = {
    limit: granted.limit,
    groups: Math.min(groups, groupsAtMost(keys)),
    rows,
    enforced,
    choosesGroups: enforced && !boundsRows && groups < groupsAtMost(keys),
  };
  if (boundsRows && contribution.groups * rows > mostRowsOfUnit) {
    refuse(
      "query.option",
      `a unit may contribute at most ${mostRowsOfUnit} rows, and max_groups_contributed times max_rows_contributed_per_group is more`,
      `state max_rows_contributed_per_group of at most ${Math.floor(mostRowsOfUnit / contribution.groups)}`,
    );
  }
  const question =
    keys.kind === "public" && options.minPrivacyUnitsPerGroup !== null
      ? withFewestUnits(tracked.question, options.minPrivacyUnitsPerGroup)
      : tracked.question;
  return {
    ...tracked,
    question,
    contribution,
    keys,
    totals: limitTotals(tracked, lists, keys.kind === "private"),
  };
}

/**
 * Returns the k and r that a question asks for within what the policy grants. A total of N rows is kept as r in each of k groups, k·r ≤ N, with as many groups as there
 * are, so that a unit counts in all of its groups before it counts in one more than once. Errors: query.option.
 */
function statedLimits(
  { granted, options }: TrackedQuestion,
  allGroups: number,
): Pick<PlannedContribution, "groups" | "rows"> {
  const { maxGroupsContributed, maxRowsContributed, maxRowsPerGroup } = options;
  const groups = lowered("max_groups_contributed", maxGroupsContributed, granted.maxGroups);
  const rows = lowered("max_rows_contributed_per_group", maxRowsPerGroup, granted.maxRowsPerGroup);
  if (maxRowsContributed === null) return { groups, rows };
  if (maxGroupsContributed !== null)
    refuse(
      "query.option",
      "max_groups_contributed and max_rows_contributed are two ways to limit the same",
      "state one of them; max_rows_contributed_per_group stands beside either",
    );
  const inAll = lowered(
    "max_rows_contributed",
    maxRowsContributed,
    granted.maxGroups * granted.maxRowsPerGroup,
  );
  const most = Math.min(granted.maxGroups, inAll, Math.max(allGroups, 1));
  return { groups: most, rows: Math.min(rows, Math.floor(inAll / most)) };
}

/**
 * The question of public groups of which those with fewer units are left out: a condition on the noisy count of units, which is measured like any other aggregate.
 */
function withFewestUnits(question: ResolvedQuery, fewest: number): ResolvedQuery {
  const known = question.aggregates.find(({ kind }) => kind === "count-units");
  const units = known ?? { name: "COUNT(DISTINCT unit)", kind: "count-units" as const };
  const enough: PostExpression = {
    kind: "call",
    operator: ">=",
    args: [
      { kind: "aggregate", aggregate: units.name },
      { kind: "literal", value: fewest },
    ],
  };
  const { having } = question.post;
  return {
    ...question,
    aggregates: known ? question.aggregates : [...question.aggregates, units],
    post: {
      ...question.post,
      having: having === null ? enough : { kind: "call", operator: "and", args: [having, enough] },
    },
  };
}

/** A table that names its units: what a join makes of a row, or a subquery leaves of it, has no hash that is kept. */
function demandOneTable(from: Relation): void {
  if (from.kind === "table" && from.source === null && from.unit.kind === "column") {
    if (from.unit.path.length === 0) return;
  }
  const tables = tablesOf(from).filter(({ unit }) => unit.kind !== "public");
  refuse(
    "query.unsupported",
    `${tables.map(({ table }) => table).join(", ")}: the policy limits rows before the filter, which works only for one table that names its units`,
    "ask one such table without a join or subquery, or write limit: groups-after-filter below the table in the policy",
  );
}

/** How many groups there are at all; Infinity where keys are data. */
export function groupsAtMost(keys: LimitedKeys): number {
  if (keys.kind === "none") return 1;
  return keys.kind === "public" ? keys.declared.length : Number.POSITIVE_INFINITY;
}

/** An analyst may lower what the policy grants, never raise it. */
function lowered(name: string, asked: number | null, granted: number): number {
  if (asked === null) return granted;
  if (!(Number.isSafeInteger(asked) && asked >= 1)) {
    refuse("query.option", `${name} must be an integer of at least 1`, `write ${name} = ${granted}`);
  }
  if (asked > granted) {
    refuse(
      "query.option",
      `${name} is above the policy's ${granted}`,
      `write at most ${granted}, or leave it out`,
    );
  }
  return asked;
}

function limitKeys({ question, options }: TrackedQuestion, lists: PublicKeyLists): LimitedKeys {
  if (question.groupBy.length === 0) {
    if (options.groupSelection === "private" || options.minPrivacyUnitsPerGroup !== null) {
      refuse(
        "query.option",
        "there is no GROUP BY, so no group to select",
        "leave the option out, or group by a key",
      );
    }
    return { kind: "none" };
  }
  const keeps = keptSources(question.from) !== null;
  if (keeps && options.groupSelection === "private")
    refuse(
      "query.option",
      "an outer join that keeps public rows has the groups of these, and none is selected",
      "leave group_selection_strategy out, or write JOIN",
    );
  const declared =
    options.groupSelection === "private"
      ? null
      : declaredKeys(question.groupBy.map(({ name }) => lists.get(name) ?? null));
  if (declared === null && (keeps || options.groupSelection === "public")) {
    const hidden = question.groupBy.find(({ expression }) => publicKeys(expression.domain) === null);
    refuse(
      "query.option",
      hidden
        ? `the keys of ${hidden.name} are not public`
        : `there are more than ${maxPublicKeys} public keys`,
      hidden
        ? `declare categories in the policy, or ${keeps ? "write JOIN in the place of the outer join" : "leave group_selection_strategy out"}`
        : `group by fewer keys, or ${keeps ? "write JOIN in the place of the outer join" : "leave group_selection_strategy out"}`,
    );
  }
  if (declared === null) return { kind: "private" };
  if (declared.length === 0)
    refuse(
      "query.impossible",
      "no public key of the GROUP BY meets the WHERE",
      "remove the condition on the key",
    );
  return { kind: "public", declared };
}
