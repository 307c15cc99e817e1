import { truncationDistance } from "../amplification/truncated-poisson.ts";
import { LetheError } from "../errors/lethe-error.ts";
import type { Event } from "../events/event.ts";
import { addUp, multiplyUp } from "../numeric/directed.ts";
import { parseRational, toDouble } from "../numeric/rational.ts";

/**
 * How far, in total variation, what ran can lie from the same run with every truncated Poisson sample left whole: under adaptive
 * composition the distances add up. +∞ where a cut sample is run a random number of times.
 * Proof: ../amplification/truncated-poisson.proof.md
 */
export function truncation(event: Event): number {
  switch (event.kind) {
    case "compose":
      return event.events.reduce((total, part) => addUp(total, truncation(part)), 0);
    case "repeat": {
      const each = truncation(event.event);
      return each === 0 ? 0 : multiplyUp(each, toDouble(parseRational(event.count), "up"));
    }
    case "mix":
      return Math.max(...event.parts.map((part) => truncation(part.event)));
    case "truncated-poisson-sample":
      return addUp(cut(event), truncation(event.event));
    case "poisson-sample":
    case "sample-without-replacement":
    case "group":
      return truncation(event.event);
    case "repeat-and-select":
      return truncation(event.event) === 0 ? 0 : Number.POSITIVE_INFINITY;
    default:
      return 0;
  }
}

function cut(event: Extract<Event, { readonly kind: "truncated-poisson-sample" }>): number {
  try {
    return truncationDistance({
      rate: Math.min(1, toDouble(parseRational(event.rate), "up")),
      population: Number(event.population),
      limit: Number(event.limit),
    });
  } catch (error) {
    // More units than a double counts.
    if (error instanceof LetheError && error.code === "parameter.invalid") return Number.POSITIVE_INFINITY;
    throw error;
  }
}
