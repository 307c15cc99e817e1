import { approximateFromMixed } from "../conversions/gaussian/mixed-to-approximate.ts";
import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import type { CombinatorKind, Event, EventOf, LeafKind } from "../events/event.ts";
import { maxEventDepth, unknownEvent } from "../events/event-json.ts";
import type { PrivacyLoss, PrivacyMeasure } from "../losses/measures/loss.ts";
import type { Measure } from "../losses/measures/measure.ts";
import { mixed } from "../losses/measures/mixed.ts";
import { pure } from "../losses/measures/pure.ts";
import { zcdp } from "../losses/measures/zcdp.ts";
import type { ProvableLosses } from "../losses/provable-losses.ts";
import { compare, one, parseRational, type Rational, toText, zero } from "../numeric/rational.ts";

/** A function for each kind of event that returns the losses which its mechanism can prove: the registry that an accountant is given. */
export type ProveLosses = { readonly [K in LeafKind]: (event: EventOf<K>) => ProvableLosses };

/** The measure of the account, and for (ε, δ) the δ at which Gaussian noise is priced. */
export type PriceTarget =
  | { readonly measure: "pure" }
  | { readonly measure: "approximate"; readonly delta: Rational }
  | { readonly measure: "zcdp" };

/** Combinations that no exact account charges: samples and selections are priced by the calculators, in doubles. */
const calculatorsAlone: ReadonlySet<string> = new Set<Exclude<CombinatorKind, "compose" | "repeat">>([
  "poisson-sample",
  "truncated-poisson-sample",
  "sample-without-replacement",
  "group",
  "mix",
  "repeat-and-select",
]);

export type Price = (event: Event, target: PriceTarget) => PrivacyLoss;

/**
 * The one fold over event trees. Errors: parameter.invalid for an unknown kind or version, a broken number, or a tree
 * that is too deep; query.missing-delta for a mechanism that the measure cannot price.
 */
export function priceEvents(prove: ProveLosses): Price {
  function fold<L extends { readonly measure: string }>(
    event: Event,
    measure: Measure<L>,
    part: (losses: ProvableLosses) => L | null,
    depth = 1,
  ): L {
    if (depth > maxEventDepth) throw invalidParameter("event depth", depth, `at most ${maxEventDepth}`);
    if (event.version !== 1) throw unknownEvent(event.kind, event.version);
    if (event.kind === "compose") {
      return measure.compose(event.events.map((child) => fold(child, measure, part, depth + 1)));
    }
    if (event.kind === "repeat") {
      const count = parseRational(event.count, "count");
      if (count.den !== 1n || count.num < 1n) throw invalidParameter("count", event.count, "an integer ≥ 1");
      return measure.power(fold(event.event, measure, part, depth + 1), count.num);
    }
    if (calculatorsAlone.has(event.kind)) throw unprovable(event.kind, measure.id);
    if (!Object.hasOwn(prove, event.kind)) throw unknownEvent(String(event.kind), event.version);
    const loss = part((prove[event.kind as LeafKind] as (leaf: Event) => ProvableLosses)(event));
    if (loss === null) throw unprovable(event.kind, measure.id);
    return loss;
  }

  const prices: {
    readonly [M in PrivacyMeasure]: (
      event: Event,
      target: Extract<PriceTarget, { measure: M }>,
    ) => PrivacyLoss;
  } = {
    pure: (event) => fold(event, pure, (losses) => losses.pure),
    zcdp: (event) => fold(event, zcdp, (losses) => losses.zcdp),
    approximate(event, target) {
      if (!(compare(target.delta, zero) >= 0 && compare(target.delta, one) < 0)) {
        throw invalidParameter("delta", toText(target.delta), "at least 0 and below 1");
      }
      return approximateFromMixed(
        fold(event, mixed, (losses) => losses.mixed),
        target.delta,
      );
    },
  };

  return (event, target) => {
    if (!Object.hasOwn(prices, target.measure)) {
      throw invalidParameter("measure", target.measure, `one of ${Object.keys(prices).join(", ")}`);
    }
    return (prices[target.measure] as Price)(event, target);
  };
}

function unprovable(kind: string, measure: string): LetheError {
  return new LetheError("query.missing-delta", `${kind} has no finite price under ${measure} DP`, {
    fix: "use Laplace noise and public groups, or keep the account in approximate DP or zCDP",
    fields: { kind, measure },
  });
}
