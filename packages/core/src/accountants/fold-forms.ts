import type { CarrierId } from "../carriers/carrier.ts";
import type { Event } from "../events/event.ts";
import { unknownEvent } from "../events/event-json.ts";
import type { Adjacency } from "../measures/adjacency.ts";
import type { ProvableLosses } from "../measures/provable-losses.ts";
import type { SamplingScheme } from "../measures/sampling-scheme.ts";
import { one, parseRational, subtract, toDouble } from "../numeric/rational.ts";
import { attempt } from "./attempt.ts";
import type { AnyForm, Conversion } from "./form.ts";
import type { ProveLosses } from "./price-events.ts";

/** A loss in some form, and the arrows of the lattice that were walked to it. */
export interface Folded {
  readonly loss: unknown;
  readonly via: ReadonlySet<string>;
}

/** A function that returns the loss of an event in the form of a carrier; null where no theorem reaches it. */
export type FoldForms = (event: Event, carrier: CarrierId) => Folded | null;

/** The place at which the cut of a truncated sample is priced: as a distance of the whole run (./truncated-curve.ts), or in the step's own loss. */
export type Cuts = "at-the-root" | "in-place";

const exactly: ReadonlySet<string> = new Set();

function join(parts: readonly Folded[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ via }) => [...via]));
}

/**
 * The one fold of event trees through carriers of loss. At every node: the carrier's own operation on the parts, else the
 * best arrow of the lattice from another form of the same node, else null. `late` arrows wait until the other form has composed as much
 * as it can. Counts are multiplied by the carrier's `power` alone. Events are valid (eventFromJson).
 */
export function foldForms(
  forms: readonly AnyForm[],
  prove: ProveLosses,
  adjacency: Adjacency,
  cuts: Cuts = "at-the-root",
): FoldForms {
  const byId = new Map(forms.map((form) => [form.carrier.id, form]));
  const known = new Map<Event, Map<string, Folded | null>>();

  function remembered(event: Event, key: string, compute: () => Folded | null): Folded | null {
    const entries = known.get(event) ?? new Map<string, Folded | null>();
    known.set(event, entries);
    const found = entries.get(key);
    if (found !== undefined) return found;
    const value = compute();
    entries.set(key, value);
    return value;
  }

  /** The node in this form without late arrows. */
  function early(event: Event, form: AnyForm, within: Adjacency): Folded | null {
    return remembered(event, `early ${form.carrier.id} ${within}`, () =>
      first(candidates(event, form, within)),
    );
  }

  /** The node in this form by any path. */
  function value(event: Event, form: AnyForm, within: Adjacency): Folded | null {
    return remembered(
      event,
      `any ${form.carrier.id} ${within}`,
      () => early(event, form, within) ?? late(event, form, within),
    );
  }

  /** The node's own operation, then every early arrow to it. */
  function* candidates(event: Event, form: AnyForm, within: Adjacency): Generator<Folded> {
    const own = native(event, form, within, early);
    if (own) yield own;
    for (const conversion of form.from) {
      if (conversion.late) continue;
      const converted = convert(event, conversion, within);
      if (converted) yield converted;
    }
  }

  function convert(event: Event, conversion: Conversion<unknown>, within: Adjacency): Folded | null {
    const source = byId.get(conversion.from);
    const folded = source && value(event, source, within);
    if (!folded) return null;
    const loss = attempt(() => conversion.convert(folded.loss));
    if (loss === null) return null;
    return { loss, via: new Set([...folded.via, `${conversion.from} → ${conversion.theorem}`]) };
  }

  function late(event: Event, form: AnyForm, within: Adjacency): Folded | null {
    const arrows = (part: Event): Folded | null =>
      first(
        (function* () {
          for (const conversion of form.from) {
            const converted = conversion.late ? convert(part, conversion, within) : null;
            if (converted) yield converted;
          }
        })(),
      );
    return split(event, form, within) ?? arrows(event) ?? native(event, form, within, value);
  }

  /** A composition of which some parts enter without late arrows: what needs one goes over together, the rest composes here. */
  function split(event: Event, form: AnyForm, within: Adjacency): Folded | null {
    const parts = [...flattened(event)];
    const ready = parts.flatMap(([part, count]) => repeated(early(part, form, within), count, form) ?? []);
    const rest = parts.filter(([part]) => early(part, form, within) === null);
    if (ready.length === 0 || rest.length === 0) return null;
    const events = rest.map(
      ([part, count]): Event =>
        count === 1n ? part : { kind: "repeat", version: 1, count: count.toString(), event: part },
    );
    const over = value({ kind: "compose", version: 1, events }, form, within);
    return over ? composed([...ready, over], form) : null;
  }

  function repeated(part: Folded | null, count: bigint, form: AnyForm): Folded | null {
    if (part === null || count === 1n) return part;
    const loss = attempt(() => form.carrier.power(part.loss, count));
    return loss === null ? null : { loss, via: part.via };
  }

  function composed(parts: readonly Folded[], form: AnyForm): Folded | null {
    if (parts.length === 1) return parts[0] as Folded;
    const loss = attempt(() => form.carrier.compose(parts.map((part) => part.loss)));
    return loss === null ? null : { loss, via: join(parts) };
  }

  type Visit = (event: Event, form: AnyForm, within: Adjacency) => Folded | null;

  function native(event: Event, form: AnyForm, within: Adjacency, visit: Visit): Folded | null {
    const { carrier } = form;
    const special = form.special?.[event.kind] as
      | ((node: Event, adjacency: Adjacency) => unknown)
      | undefined;
    if (special) {
      const loss = attempt(() => special(event, within));
      if (loss !== null) return { loss, via: exactly };
    }
    /** The first form of the child that the operation has a theorem for. */
    const through = (child: Event, below: Adjacency, run: (loss: unknown) => unknown): Folded | null => {
      const options = visit === early ? candidates(child, form, below) : [value(child, form, below)];
      for (const option of options) {
        const loss = option && attempt(() => run(option.loss));
        if (option && loss !== null) return { loss, via: option.via };
      }
      return null;
    };
    const sampled = (child: Event, scheme: SamplingScheme, below: Adjacency): Folded | null =>
      through(child, below, (loss) => carrier.sample(loss, scheme, within));

    switch (event.kind) {
      case "compose": {
        // Equal parts are one object (./shared-events.ts), and are counted.
        const counts = new Map<Event, bigint>();
        for (const child of event.events) counts.set(child, (counts.get(child) ?? 0n) + 1n);
        const parts: Folded[] = [];
        for (const [child, count] of counts) {
          const part = repeated(visit(child, form, within), count, form);
          if (part === null) return null;
          parts.push(part);
        }
        return parts.length === 0 ? { loss: carrier.none, via: exactly } : composed(parts, form);
      }
      case "repeat":
        return repeated(visit(event.event, form, within), BigInt(event.count), form);
      case "poisson-sample":
        return sampled(event.event, { kind: "poisson", ...rateOf(event) }, "add-or-remove-one");
      case "truncated-poisson-sample": {
        const { population, limit } = event;
        const scheme: SamplingScheme =
          cuts === "at-the-root"
            ? { kind: "poisson", ...rateOf(event) }
            : {
                kind: "truncated-poisson",
                ...{ ...rateOf(event), population: Number(population), limit: Number(limit) },
              };
        return sampled(event.event, scheme, "add-or-remove-one");
      }
      case "sample-without-replacement": {
        const [population, sample] = [Number(event.population), Number(event.sample)];
        if (within !== "replace-one" || !Number.isSafeInteger(population)) return null;
        return sampled(event.event, { kind: "without-replacement", population, sample }, "replace-one");
      }
      case "group":
        return through(event.event, within, (loss) => carrier.group(loss, BigInt(event.size)));
      case "mix": {
        const parts: { readonly weight: number; readonly folded: Folded }[] = [];
        for (const { weight, event: child } of event.parts) {
          const folded = visit(child, form, within);
          if (folded === null) return null;
          parts.push({ weight: toDouble(parseRational(weight), "up"), folded });
        }
        const loss = attempt(() =>
          carrier.mix(parts.map(({ weight, folded }) => ({ weight, loss: folded.loss }))),
        );
        return loss === null ? null : { loss, via: join(parts.map(({ folded }) => folded)) };
      }
      case "repeat-and-select": {
        const { select } = form;
        if (!select) return null;
        return through(event.event, within, (loss) => select.call(form, loss, event.trials));
      }
      default: {
        if (!Object.hasOwn(prove, event.kind)) throw unknownEvent(event.kind, event.version);
        const losses = (prove[event.kind] as (leaf: Event) => ProvableLosses)(event);
        const { kind } = event;
        const loss = attempt(() => form.leaf(losses, kind));
        return loss === null ? null : { loss, via: exactly };
      }
    }
  }

  return (event, carrier) => {
    const form = byId.get(carrier);
    if (!form) return null;
    // A late arrow for the whole would only say again, less tightly, what its source says.
    const folded = early(event, form, adjacency) ?? split(event, form, adjacency);
    return folded && form.redundant?.(folded.loss) ? null : folded;
  };
}

/** The rate, never too small, and what is left of 1, with its own digits. */
function rateOf({ rate }: { readonly rate: string }): { readonly rate: number; readonly keep: number } {
  const exact = parseRational(rate);
  return { rate: Math.min(1, toDouble(exact, "up")), keep: toDouble(subtract(one, exact), "up") };
}

/** Takes compositions and repetitions apart: returns the events that run, each with the number of times that it runs. */
function flattened(
  event: Event,
  times: bigint = 1n,
  into: Map<Event, bigint> = new Map(),
): Map<Event, bigint> {
  if (event.kind === "compose") for (const part of event.events) flattened(part, times, into);
  else if (event.kind === "repeat") flattened(event.event, times * BigInt(event.count), into);
  else into.set(event, (into.get(event) ?? 0n) + times);
  return into;
}

function first(options: Iterable<Folded>): Folded | null {
  for (const option of options) return option;
  return null;
}
