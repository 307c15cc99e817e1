import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import { decimalText } from "../events/decimal-text.ts";
import type { Event } from "../events/event.ts";
import { eventFromJson } from "../events/event-json.ts";
import type { RepresentationId } from "../losses/loss-algebra.ts";
import type { AnyRepresentation } from "../losses/loss-representation.ts";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import { aimOf } from "../losses/measures/aim.ts";
import type { PrivacyCurve } from "../losses/measures/privacy-curve.ts";
import type { SamplingScheme } from "../losses/measures/sampling-scheme.ts";
import { one, parseRational, subtract, sum, toText } from "../numeric/rational.ts";
import { attempt } from "./attempt.ts";
import { type Folded, foldRepresentations } from "./fold-representations.ts";
import type { ProveLosses } from "./price-events.ts";
import { provenCurve } from "./proven-curve.ts";
import { sharedEvents } from "./shared-events.ts";
import { type Source, tightestCurve } from "./tightest-curve.ts";
import { truncatedCurve } from "./truncated-curve.ts";
import { truncation } from "./truncation.ts";

export interface AccountOptions {
  /** The relation that makes two data sets neighbours; "add-or-remove-one" unless stated. */
  readonly adjacency?: Adjacency;
  /** The width of an ε interval that is aimed at, from 1e-12 to 1; a ten-thousandth of ε within [1e-6, 1e-4] unless stated. */
  readonly accuracy?: number;
  /** The representations that may be asked, in this order; all, the likely tightest first, unless stated. */
  readonly representations?: readonly RepresentationId[];
}

/**
 * The loss of an event, in three equal views and by every representation of loss that has a theorem. Immutable; the algebra builds events. Answers are
 * kept, so asking again is cheap. `epsilon`, `delta` and `tradeoff` refuse with account.unprovable where no representation has a theorem.
 */
export interface Account extends PrivacyCurve {
  readonly event: Event;
  readonly adjacency: Adjacency;
  /** Returns the curve of one representation alone; null where no theorem reaches the event in it. */
  by(representation: RepresentationId): PrivacyCurve | null;
  /** Returns the account of this event and then the others, each possibly chosen after the answers before it. */
  compose(...others: readonly (Account | Event)[]): Account;
  /** Returns the account of this event run n ≥ 1 times. */
  power(n: number | bigint): Account;
  /** Returns the account of this event on a sample. For a Poisson sample this account's numbers are read as those of add-or-remove-one. */
  sample(scheme: SamplingScheme): Account;
  /** Returns the account of one of several events, drawn by public coins; this one has the weight that the others leave. */
  mix(parts: readonly { readonly weight: number | string; readonly of: Account | Event }[]): Account;
  /** Returns the account of this event for a group of k ≥ 1 units. */
  group(k: number | bigint): Account;
}

export type AccountFor = (event: Event, options?: AccountOptions) => Account;

const eventOf = (part: Account | Event): Event => ("event" in part && "by" in part ? part.event : part);

function countText(n: number | bigint, name: string): string {
  if (typeof n === "number" && !Number.isSafeInteger(n)) throw invalidParameter(name, n, "an integer ≥ 1");
  return n.toString();
}

/**
 * An account over these representations of loss, given in the order in which they are asked. A bundle that leaves one out leaves out its code.
 * Errors: parameter.invalid for a broken event or option.
 */
export function accountWith(representations: readonly AnyRepresentation[], prove: ProveLosses): AccountFor {
  const all = representations.map(({ algebra }) => algebra.id);
  const representationOf = (id: RepresentationId): AnyRepresentation => {
    const representation = representations.find(({ algebra }) => algebra.id === id);
    if (!representation) throw invalidParameter("representation", id, `one of ${all.join(", ")}`);
    return representation;
  };

  function account(untrusted: Event, options: AccountOptions = {}): Account {
    const { adjacency = "add-or-remove-one", accuracy, representations: ids = all } = options;
    if (adjacency !== "add-or-remove-one" && adjacency !== "replace-one") {
      throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
    }
    if (accuracy !== undefined && !(accuracy >= 1e-12 && accuracy <= 1))
      throw invalidParameter("accuracy", accuracy, "from 1e-12 to 1");
    const asked = ids.map(representationOf);
    const event = sharedEvents(eventFromJson(untrusted));
    const fold = foldRepresentations(representations, prove, adjacency);
    const foldInPlace = foldRepresentations(representations, prove, adjacency, "in-place");
    const distance = truncation(event);
    const curves = new Map<RepresentationId, PrivacyCurve | null>();

    function make(representation: AnyRepresentation): PrivacyCurve | null {
      // A representation that prices the cut of every sample in its step does so more tightly than a distance can.
      const own =
        distance === 0 ? null : curveOf(representation, foldInPlace(event, representation.algebra.id));
      if (own !== null) return own;
      const whole = distance < 1 ? curveOf(representation, fold(event, representation.algebra.id)) : null;
      return whole && truncatedCurve(whole, distance);
    }
    function curveOf(representation: AnyRepresentation, folded: Folded | null): PrivacyCurve | null {
      const curve = folded && attempt(() => representation.algebra.curve(folded.loss, accuracy));
      return curve && provenCurve(curve, [...folded.via]);
    }
    function by(id: RepresentationId): PrivacyCurve | null {
      const known = curves.get(id);
      if (known !== undefined) return known;
      const curve = make(representationOf(id));
      curves.set(id, curve);
      return curve;
    }

    const sources = asked.map(({ algebra }): Source => ({ id: algebra.id, curve: () => by(algebra.id) }));
    const refuse = (): LetheError => unprovable(event, adjacency, ids);
    const again = (next: unknown): Account => account(next as Event, options);
    return {
      event,
      adjacency,
      ...tightestCurve(sources, aimOf(accuracy), refuse),
      by,
      compose: (...others) => again({ kind: "compose", version: 1, events: [event, ...others.map(eventOf)] }),
      power: (n) => again({ kind: "repeat", version: 1, count: countText(n, "count"), event }),
      sample: (scheme) => again(sampleEvent(scheme, event)),
      mix(parts) {
        const others = parts.map(({ weight, of }) => ({
          weight: typeof weight === "number" ? decimalText(weight, "weight") : weight,
          event: eventOf(of),
        }));
        const left = subtract(one, sum(others.map(({ weight }) => parseRational(weight, "weight"))));
        return again({ kind: "mix", version: 1, parts: [{ weight: toText(left), event }, ...others] });
      },
      group: (k) => again({ kind: "group", version: 1, size: countText(k, "size"), event }),
    };
  }
  return account;
}

function sampleEvent(scheme: SamplingScheme, event: Event): unknown {
  if (scheme.kind === "poisson") {
    return { kind: "poisson-sample", version: 1, rate: decimalText(scheme.rate, "rate"), event };
  }
  if (scheme.kind === "truncated-poisson") {
    return {
      kind: "truncated-poisson-sample",
      version: 1,
      rate: decimalText(scheme.rate, "rate"),
      population: countText(scheme.population, "population"),
      limit: countText(scheme.limit, "limit"),
      event,
    };
  }
  return {
    kind: "sample-without-replacement",
    version: 1,
    population: countText(scheme.population, "population"),
    sample: countText(scheme.sample, "sample"),
    event,
  };
}

function unprovable(
  event: Event,
  adjacency: Adjacency,
  representations: readonly RepresentationId[],
): LetheError {
  const kind = obstacle(event, adjacency);
  return new LetheError(
    "account.unprovable",
    `no theorem bounds the loss of ${kind} under ${adjacency} by ${representations.join(", ")}`,
    {
      fix: remedy(kind, adjacency) ?? "ask more representations, or account for its parts one by one",
      fields: { event: kind, adjacency, representations: representations.join(",") },
    },
  );
}

/** The usual remedy where no representation has a theorem, by kind of event. */
const advice: Readonly<Record<string, string>> = {
  "sample-without-replacement": 'account it under { adjacency: "replace-one" }, or sample by Poisson',
  shuffle: 'account it under { adjacency: "replace-one" }, and ask pld',
  "random-allocation": "ask pld; or account for the steps as poisson-sample at rate selected/steps",
  "repeat-and-select":
    "give it an event whose Rényi divergences or dominating pair are known, and ask pld or renyi",
  "truncated-poisson-sample":
    "raise the limit until a larger sample is unlikely, or keep the population below 2^53",
  zcdp: "ask renyi or zcdp: of a zCDP claim nothing more is known",
};

/** The advice that is left under this adjacency. */
function remedy(kind: string, adjacency: Adjacency): string | undefined {
  const needsReplace = kind === "sample-without-replacement" || kind === "shuffle";
  return needsReplace && adjacency === "replace-one" ? undefined : advice[kind];
}

/** The first kind in the tree that has advice for this adjacency, else the root's. */
function obstacle(event: Event, adjacency: Adjacency): string {
  if (remedy(event.kind, adjacency) !== undefined) return event.kind;
  const parts: readonly Event[] =
    "event" in event
      ? [event.event]
      : event.kind === "compose"
        ? event.events
        : event.kind === "mix"
          ? event.parts.map((part) => part.event)
          : [];
  for (const part of parts) {
    const found = obstacle(part, adjacency);
    if (remedy(found, adjacency) !== undefined) return found;
  }
  return event.kind;
}
