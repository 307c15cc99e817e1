import type { CarrierId } from "../carriers/carrier.ts";
import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import { decimalText } from "../events/decimal-text.ts";
import type { Event } from "../events/event.ts";
import { eventFromJson } from "../events/event-json.ts";
import type { Adjacency } from "../measures/adjacency.ts";
import { aimOf } from "../measures/aim.ts";
import type { PrivacyCurve } from "../measures/privacy-curve.ts";
import type { SamplingScheme } from "../measures/sampling-scheme.ts";
import { one, parseRational, subtract, sum, toText } from "../numeric/rational.ts";
import { attempt } from "./attempt.ts";
import { type Folded, foldForms } from "./fold-forms.ts";
import type { AnyForm } from "./form.ts";
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
  /** The forms that may be asked, in this order; all, the likely tightest first, unless stated. */
  readonly carriers?: readonly CarrierId[];
}

/**
 * The loss of an event, in three equal views and by every form of loss that has a theorem. Immutable; the algebra builds events. Answers are
 * kept, so asking again is cheap. `epsilon`, `delta` and `tradeoff` refuse with account.unprovable where no form has a theorem.
 */
export interface Account extends PrivacyCurve {
  readonly event: Event;
  readonly adjacency: Adjacency;
  /** Returns the curve of one form alone; null where no theorem reaches the event in it. */
  by(carrier: CarrierId): PrivacyCurve | null;
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
 * An account over these forms of loss, given in the order in which they are asked. A bundle that leaves one out leaves out its code.
 * Errors: parameter.invalid for a broken event or option.
 */
export function accountWith(forms: readonly AnyForm[], prove: ProveLosses): AccountFor {
  const ids = forms.map(({ carrier }) => carrier.id);
  const formOf = (id: CarrierId): AnyForm => {
    const form = forms.find(({ carrier }) => carrier.id === id);
    if (!form) throw invalidParameter("carrier", id, `one of ${ids.join(", ")}`);
    return form;
  };

  function account(untrusted: Event, options: AccountOptions = {}): Account {
    const { adjacency = "add-or-remove-one", accuracy, carriers = ids } = options;
    if (adjacency !== "add-or-remove-one" && adjacency !== "replace-one") {
      throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
    }
    if (accuracy !== undefined && !(accuracy >= 1e-12 && accuracy <= 1))
      throw invalidParameter("accuracy", accuracy, "from 1e-12 to 1");
    const asked = carriers.map(formOf);
    const event = sharedEvents(eventFromJson(untrusted));
    const fold = foldForms(forms, prove, adjacency);
    const foldInPlace = foldForms(forms, prove, adjacency, "in-place");
    const distance = truncation(event);
    const curves = new Map<CarrierId, PrivacyCurve | null>();

    function make(form: AnyForm): PrivacyCurve | null {
      // A form that prices the cut of every sample in its step does so more tightly than a distance can.
      const own = distance === 0 ? null : curveOf(form, foldInPlace(event, form.carrier.id));
      if (own !== null) return own;
      const whole = distance < 1 ? curveOf(form, fold(event, form.carrier.id)) : null;
      return whole && truncatedCurve(whole, distance);
    }
    function curveOf(form: AnyForm, folded: Folded | null): PrivacyCurve | null {
      const curve = folded && attempt(() => form.carrier.curve(folded.loss, accuracy));
      return curve && provenCurve(curve, [...folded.via]);
    }
    function by(carrier: CarrierId): PrivacyCurve | null {
      const known = curves.get(carrier);
      if (known !== undefined) return known;
      const curve = make(formOf(carrier));
      curves.set(carrier, curve);
      return curve;
    }

    const sources = asked.map(({ carrier }): Source => ({ id: carrier.id, curve: () => by(carrier.id) }));
    const refuse = (): LetheError => unprovable(event, adjacency, carriers);
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

function unprovable(event: Event, adjacency: Adjacency, carriers: readonly CarrierId[]): LetheError {
  const kind = obstacle(event, adjacency);
  return new LetheError(
    "account.unprovable",
    `no theorem bounds the loss of ${kind} under ${adjacency} by ${carriers.join(", ")}`,
    {
      fix: remedy(kind, adjacency) ?? "ask more carriers, or account for its parts one by one",
      fields: { event: kind, adjacency, carriers: carriers.join(",") },
    },
  );
}

/** The usual remedy where no form has a theorem, by kind of event. */
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
