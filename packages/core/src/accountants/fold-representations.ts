import type { Event } from "../events/event.ts";
import { unknownEvent } from "../events/event-json.ts";
import type { RepresentationId } from "../losses/loss-algebra.ts";
import type { AnyRepresentation, Conversion } from "../losses/loss-representation.ts";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import type { SamplingScheme } from "../losses/measures/sampling-scheme.ts";
import type { ProvableLosses } from "../losses/provable-losses.ts";
import { one, parseRational, subtract, toDouble } from "../numeric/rational.ts";
import { attempt } from "./attempt.ts";
import type { ProveLosses } from "./price-events.ts";

/** A loss in some representation, and the arrows of the lattice that were walked to it. */
export interface Folded {
  readonly loss: unknown;
  readonly via: ReadonlySet<string>;
}

/** A function that returns the loss of an event in one representation; null where no theorem reaches it. */
export type FoldRepresentations = (event: Event, representation: RepresentationId) => Folded | null;

/** The place at which the cut of a truncated sample is priced: as a distance of the whole run (./truncated-curve.ts), or in the step's own loss. */
export type Cuts = "at-the-root" | "in-place";

const exactly: ReadonlySet<string> = new Set();

function join(parts: readonly Folded[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ via }) => [...via]));
}

/**
 * The one fold of event trees through representations of loss. At every node: the representation's own operation on the parts, else the
 * best arrow of the lattice from another representation of the same node, else null. `late` arrows wait until the other representation has composed as much
 * as it can. Counts are multiplied by the representation's `power` alone. Events are valid (eventFromJson).
 */
export function foldRepresentations(
  representations: readonly AnyRepresentation[],
  prove: ProveLosses,
  adjacency: Adjacency,
  cuts: Cuts = "at-the-root",
): FoldRepresentations {
  const byId = new Map(representations.map((representation) => [representation.algebra.id, representation]));
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

  /** The node in this representation without late arrows. */
  function early(event: Event, representation: AnyRepresentation, within: Adjacency): Folded | null {
    return remembered(event, `early ${representation.algebra.id} ${within}`, () =>
      first(candidates(event, representation, within)),
    );
  }

  /** The node in this representation by any path. */
  function value(event: Event, representation: AnyRepresentation, within: Adjacency): Folded | null {
    return remembered(
      event,
      `any ${representation.algebra.id} ${within}`,
      () => early(event, representation, within) ?? late(event, representation, within),
    );
  }

  /** The node's own operation, then every early arrow to it. */
  function* candidates(
    event: Event,
    representation: AnyRepresentation,
    within: Adjacency,
  ): Generator<Folded> {
    const own = native(event, representation, within, early);
    if (own) yield own;
    for (const conversion of representation.from) {
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

  function late(event: Event, representation: AnyRepresentation, within: Adjacency): Folded | null {
    const arrows = (part: Event): Folded | null =>
      first(
        (function* () {
          for (const conversion of representation.from) {
            const converted = conversion.late ? convert(part, conversion, within) : null;
            if (converted) yield converted;
          }
        })(),
      );
    return (
      split(event, representation, within) ?? arrows(event) ?? native(event, representation, within, value)
    );
  }

  /** A composition of which some parts enter without late arrows: what needs one goes over together, the rest composes here. */
  function split(event: Event, representation: AnyRepresentation, within: Adjacency): Folded | null {
    const parts = [...flattened(event)];
    const ready = parts.flatMap(
      ([part, count]) => repeated(early(part, representation, within), count, representation) ?? [],
    );
    const rest = parts.filter(([part]) => early(part, representation, within) === null);
    if (ready.length === 0 || rest.length === 0) return null;
    const events = rest.map(
      ([part, count]): Event =>
        count === 1n ? part : { kind: "repeat", version: 1, count: count.toString(), event: part },
    );
    const over = value({ kind: "compose", version: 1, events }, representation, within);
    return over ? composed([...ready, over], representation) : null;
  }

  function repeated(part: Folded | null, count: bigint, representation: AnyRepresentation): Folded | null {
    if (part === null || count === 1n) return part;
    const loss = attempt(() => representation.algebra.power(part.loss, count));
    return loss === null ? null : { loss, via: part.via };
  }

  function composed(parts: readonly Folded[], representation: AnyRepresentation): Folded | null {
    if (parts.length === 1) return parts[0] as Folded;
    const loss = attempt(() => representation.algebra.compose(parts.map((part) => part.loss)));
    return loss === null ? null : { loss, via: join(parts) };
  }

  type Visit = (event: Event, representation: AnyRepresentation, within: Adjacency) => Folded | null;

  function native(
    event: Event,
    representation: AnyRepresentation,
    within: Adjacency,
    visit: Visit,
  ): Folded | null {
    const { algebra } = representation;
    const special = representation.special?.[event.kind] as
      | ((node: Event, adjacency: Adjacency) => unknown)
      | undefined;
    if (special) {
      const loss = attempt(() => special(event, within));
      if (loss !== null) return { loss, via: exactly };
    }
    /** The first representation of the child that the operation has a theorem for. */
    const through = (child: Event, below: Adjacency, run: (loss: unknown) => unknown): Folded | null => {
      const options =
        visit === early ? candidates(child, representation, below) : [value(child, representation, below)];
      for (const option of options) {
        const loss = option && attempt(() => run(option.loss));
        if (option && loss !== null) return { loss, via: option.via };
      }
      return null;
    };
    const sampled = (child: Event, scheme: SamplingScheme, below: Adjacency): Folded | null =>
      through(child, below, (loss) => algebra.sample(loss, scheme, within));

    switch (event.kind) {
      case "compose": {
        // Equal parts are one object (./shared-events.ts), and are counted.
        const counts = new Map<Event, bigint>();
        for (const child of event.events) counts.set(child, (counts.get(child) ?? 0n) + 1n);
        const parts: Folded[] = [];
        for (const [child, count] of counts) {
          const part = repeated(visit(child, representation, within), count, representation);
          if (part === null) return null;
          parts.push(part);
        }
        return parts.length === 0 ? { loss: algebra.none, via: exactly } : composed(parts, representation);
      }
      case "repeat":
        return repeated(visit(event.event, representation, within), BigInt(event.count), representation);
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
        return through(event.event, within, (loss) => algebra.group(loss, BigInt(event.size)));
      case "mix": {
        const parts: { readonly weight: number; readonly folded: Folded }[] = [];
        for (const { weight, event: child } of event.parts) {
          const folded = visit(child, representation, within);
          if (folded === null) return null;
          parts.push({ weight: toDouble(parseRational(weight), "up"), folded });
        }
        const loss = attempt(() =>
          algebra.mix(parts.map(({ weight, folded }) => ({ weight, loss: folded.loss }))),
        );
        return loss === null ? null : { loss, via: join(parts.map(({ folded }) => folded)) };
      }
      case "repeat-and-select": {
        const { select } = representation;
        if (!select) return null;
        return through(event.event, within, (loss) => select.call(representation, loss, event.trials));
      }
      default: {
        if (!Object.hasOwn(prove, event.kind)) throw unknownEvent(event.kind, event.version);
        const losses = (prove[event.kind] as (leaf: Event) => ProvableLosses)(event);
        const { kind } = event;
        const loss = attempt(() => representation.leaf(losses, kind));
        return loss === null ? null : { loss, via: exactly };
      }
    }
  }

  return (event, id) => {
    const representation = byId.get(id);
    if (!representation) return null;
    // A late arrow for the whole would only say again, less tightly, what its source says.
    const folded = early(event, representation, adjacency) ?? split(event, representation, adjacency);
    return folded && representation.redundant?.(folded.loss) ? null : folded;
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
