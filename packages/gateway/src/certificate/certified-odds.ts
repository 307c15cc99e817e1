import type { Adjacency, Event, PrivacyLoss } from "@lethe/core";
import { lossOdds, type Odds, odds } from "@lethe/core/accounting";

/**
 * The odds that a certificate states of what was run for a charge: those of its mechanisms, where whoever has the certificate can derive them again (`@lethe/verify`, odds), and else
 * those of the worst mechanism of what was charged.
 */
export function certifiedOdds(ran: Event, adjacency: Adjacency, charged: PrivacyLoss): Odds {
  return isDerivedAgain(ran, adjacency) ? odds(ran, adjacency) : lossOdds(charged);
}

const mechanisms: ReadonlySet<Event["kind"]> = new Set([
  ...(["constant", "laplace", "gaussian", "rounded-gaussian", "gaussian-dp"] as const),
  ...(["pure", "approximate", "finite-pair", "select-groups"] as const),
]);
const gaussians: ReadonlySet<Event["kind"]> = new Set(["gaussian", "rounded-gaussian", "gaussian-dp"]);

/** Whether the verifier has a pair for every mechanism of an event. It has none for samples of which units are replaced, or of other noise than one Gaussian. */
function isDerivedAgain(event: Event, adjacency: Adjacency): boolean {
  switch (event.kind) {
    case "compose":
      return event.events.every((part) => isDerivedAgain(part, adjacency));
    case "repeat":
      return isDerivedAgain(event.event, adjacency);
    case "discrete-gaussian":
      return event.l2Squared === "1";
    case "poisson-sample":
      return adjacency === "add-or-remove-one" && gaussians.has(event.event.kind);
    default:
      return mechanisms.has(event.kind);
  }
}
