import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import { compare, parseRational, type Rational, toText, zero } from "../numeric/rational.ts";
import type {
  Event,
  EventKind,
  EventOf,
  SelectionRule,
  SelectionRuleName,
  SelectionRuleOf,
} from "./event.ts";

/** Nested deeper, or with more nodes, an event is refused: it is untrusted input to a recursion. */
export const maxEventDepth = 32;
export const maxEventNodes = 100_000;

type Fields = Readonly<Record<string, unknown>>;

function record(json: unknown, what: string): Fields {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw invalidParameter(what, json, "a JSON object");
  }
  return json as Fields;
}

function only(fields: Fields, known: readonly string[], what: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalidParameter(what, unknown, `made of ${known.join(", ")} alone`);
}

function rational(fields: Fields, name: string): Rational {
  const text = fields[name];
  if (typeof text !== "string") throw invalidParameter(name, text, "a number as a text");
  return parseRational(text, name);
}

function positive(fields: Fields, name: string): string {
  const value = rational(fields, name);
  if (!(compare(value, zero) > 0)) throw invalidParameter(name, fields[name], "> 0");
  return toText(value);
}

function integer(fields: Fields, name: string, least: bigint): string {
  const value = rational(fields, name);
  if (value.den !== 1n || value.num < least) {
    throw invalidParameter(name, fields[name], `an integer ≥ ${least}`);
  }
  return toText(value);
}

const rules: { readonly [K in SelectionRuleName]: (fields: Fields) => SelectionRuleOf<K> } = {
  "truncated-geometric"(fields) {
    only(fields, ["rule", "epsilon", "delta", "minUnits"], "rule");
    return {
      rule: "truncated-geometric",
      epsilon: positive(fields, "epsilon"),
      delta: positive(fields, "delta"),
      ...floorOf(fields),
    };
  },
  "laplace-threshold"(fields) {
    only(fields, ["rule", "scale", "threshold", "minUnits"], "rule");
    return {
      rule: "laplace-threshold",
      scale: positive(fields, "scale"),
      threshold: integer(fields, "threshold", 1n),
      ...floorOf(fields),
    };
  },
  "gaussian-threshold"(fields) {
    only(fields, ["rule", "sigma", "threshold", "minUnits"], "rule");
    return {
      rule: "gaussian-threshold",
      sigma: positive(fields, "sigma"),
      threshold: integer(fields, "threshold", 1n),
      ...floorOf(fields),
    };
  },
};

function floorOf(fields: Fields): { readonly minUnits?: string } {
  return fields.minUnits === undefined ? {} : { minUnits: integer(fields, "minUnits", 1n) };
}

function selectionRule(json: unknown): SelectionRule {
  const fields = record(json, "rule");
  const name = String(fields.rule);
  if (!Object.hasOwn(rules, name)) {
    throw invalidParameter("selection rule", name, `one of ${Object.keys(rules).join(", ")}`);
  }
  return rules[name as SelectionRuleName](fields);
}

type Read = (json: unknown) => Event;
const events: { readonly [K in EventKind]: (fields: Fields, read: Read) => EventOf<K> } = {
  laplace(fields) {
    only(fields, ["kind", "version", "scale", "l1"], "laplace event");
    return { kind: "laplace", version: 1, scale: positive(fields, "scale"), l1: integer(fields, "l1", 0n) };
  },
  "rounded-gaussian"(fields) {
    only(fields, ["kind", "version", "sigma", "l2Squared"], "rounded-gaussian event");
    return {
      kind: "rounded-gaussian",
      version: 1,
      sigma: positive(fields, "sigma"),
      l2Squared: integer(fields, "l2Squared", 0n),
    };
  },
  "discrete-gaussian"(fields) {
    only(fields, ["kind", "version", "sigmaSquared", "l2Squared"], "discrete-gaussian event");
    return {
      kind: "discrete-gaussian",
      version: 1,
      sigmaSquared: positive(fields, "sigmaSquared"),
      l2Squared: integer(fields, "l2Squared", 0n),
    };
  },
  "select-groups"(fields) {
    only(fields, ["kind", "version", "rule", "groups"], "select-groups event");
    return {
      kind: "select-groups",
      version: 1,
      rule: selectionRule(fields.rule),
      groups: integer(fields, "groups", 1n),
    };
  },
  constant(fields) {
    only(fields, ["kind", "version"], "constant event");
    return { kind: "constant", version: 1 };
  },
  compose(fields, read) {
    only(fields, ["kind", "version", "events"], "compose event");
    if (!Array.isArray(fields.events)) throw invalidParameter("events", fields.events, "a list of events");
    return { kind: "compose", version: 1, events: fields.events.map(read) };
  },
  repeat(fields, read) {
    only(fields, ["kind", "version", "count", "event"], "repeat event");
    return { kind: "repeat", version: 1, count: integer(fields, "count", 1n), event: read(fields.event) };
  },
};

/**
 * Reads an untrusted event strictly: known kinds and versions, no unknown fields, every number in its domain.
 * Errors: parameter.invalid, naming the field.
 * @example eventFromJson({ kind: "laplace", version: 1, scale: "2", l1: "1" })
 */
export function eventFromJson(json: unknown): Event {
  let nodes = 0;
  const read = (part: unknown, depth: number): Event => {
    nodes += 1;
    if (depth > maxEventDepth) throw invalidParameter("event depth", depth, `at most ${maxEventDepth}`);
    if (nodes > maxEventNodes) throw invalidParameter("event size", nodes, `at most ${maxEventNodes} nodes`);
    const fields = record(part, "event");
    const kind = String(fields.kind);
    if (!Object.hasOwn(events, kind) || fields.version !== 1) throw unknownEvent(kind, fields.version);
    return events[kind as EventKind](fields, (child) => read(child, depth + 1));
  };
  return read(json, 1);
}

/** The refusal of an event whose meaning this version does not know. */
export function unknownEvent(kind: string, version: unknown): LetheError {
  const shown = `${kind.slice(0, 40)}@${String(version).slice(0, 20)}`;
  return new LetheError("parameter.invalid", `unknown event ${shown}`, {
    fix: `this version of Lethe knows ${Object.keys(events).join(", ")}, each at version 1`,
    fields: { event: shown },
  });
}
