import type { Event, PriceTarget, PrivacyLoss } from "@lethe/core";
import type { SelectionRule } from "@lethe/core/accounting";
import { noiseEvent } from "@lethe/core/mechanisms";
import type { Measurement } from "../plan.ts";
import { unitContribution } from "../unit-contribution.ts";
import type { ChosenQuestion } from "./noise/choose-mechanisms.ts";

/** How core is asked for a price in this budget's measure: of the δ, Gaussian noise gets what the selection leaves. */
export function priceTarget(budget: PrivacyLoss): PriceTarget {
  return budget.measure === "approximate"
    ? { measure: "approximate", delta: budget.delta }
    : { measure: budget.measure };
}

/** The event of a plan: its selection, then its measurements (bounds that are learned first). Constants are part of the record, at no price. */
export function eventOf(
  measurements: readonly Pick<Measurement, "noise" | "l1" | "l2Squared">[],
  selection: SelectionRule | null,
  groups: bigint,
): Event {
  const selected: readonly Event[] =
    selection === null ? [] : [{ kind: "select-groups", version: 1, rule: selection, groups: `${groups}` }];
  const measured = measurements.map(({ noise, l1, l2Squared }) =>
    noiseEvent(noise, { l1: BigInt(l1), l2Squared: BigInt(l2Squared) }),
  );
  return { kind: "compose", version: 1, events: [...selected, ...measured] };
}

/** The record of several questions: that of the only one, or their composition. */
export function composedEvent(parts: readonly { readonly event: Event }[]): Event {
  const [only] = parts;
  return only && parts.length === 1
    ? only.event
    : { kind: "compose", version: 1, events: parts.map(({ event }) => event) };
}

/** The groups whose unit count one unit changes: all it may be in when it comes or goes, twice as many when it is replaced. */
export function selectionGroups({
  contribution,
  adjacency,
}: Pick<ChosenQuestion, "contribution" | "adjacency">): bigint {
  return BigInt(unitContribution(contribution).groups) * (adjacency === "replace-one" ? 2n : 1n);
}
