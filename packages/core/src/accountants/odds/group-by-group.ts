import type { Event } from "../../events/event.ts";

/**
 * The same record with every selection of keys as that of one group, as often as a unit changes groups: keys are kept independently, so that the whole is
 * their composition, which loses less than one selection of all their ε and δ (../../mechanisms/group-selection/group-selection.proof.md, "Setting"). Noise
 * of Gaussian thresholds adds up as it is.
 */
export function groupByGroup(event: Event): Event {
  switch (event.kind) {
    case "compose":
      return { ...event, events: event.events.map(groupByGroup) };
    case "repeat":
      return { ...event, event: groupByGroup(event.event) };
    case "select-groups":
      return event.rule.rule === "gaussian-threshold" || event.groups === "1"
        ? event
        : { kind: "repeat", version: 1, count: event.groups, event: { ...event, groups: "1" } };
    default:
      return event;
  }
}
