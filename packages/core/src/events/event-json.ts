import { invalidParameter, LetheError } from "../errors/lethe-error.ts";
import { compare, negate, one, parseRational, toText } from "../numeric/rational.ts";
import type {
  Event,
  EventKind,
  EventOf,
  SelectionRule,
  SelectionRuleName,
  SelectionRuleOf,
  TrialCount,
} from "./event.ts";
import {
  between,
  checkWeights,
  type Fields,
  fraction,
  integer,
  list,
  nameOf,
  notNegative,
  only,
  part,
  positive,
  probabilities,
  rational,
  record,
} from "./event-fields.ts";

/** Nested deeper, or with more nodes, an event is refused: it is untrusted input to a recursion. */
export const maxEventDepth = 32;
export const maxEventNodes = 100_000;
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

function trialCount(json: unknown): TrialCount {
  const fields = record(json, "trials");
  if (fields.law === "poisson") {
    only(fields, ["law", "mean"], "trials");
    return { law: "poisson", mean: positive(fields, "mean") };
  }
  if (fields.law !== "negative-binomial") {
    throw invalidParameter("law of trials", fields.law, "one of negative-binomial, poisson");
  }
  only(fields, ["law", "shape", "stop"], "trials");
  const shape = rational(fields, "shape");
  if (!(compare(shape, negate(one)) > 0)) throw invalidParameter("shape", fields.shape, "> -1");
  return { law: "negative-binomial", shape: toText(shape), stop: between(fields, "stop") };
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
  pure(fields) {
    only(fields, ["kind", "version", "epsilon", "of"], "pure event");
    return { kind: "pure", version: 1, epsilon: notNegative(fields, "epsilon"), ...nameOf(fields) };
  },
  approximate(fields) {
    only(fields, ["kind", "version", "epsilon", "delta", "of"], "approximate event");
    return {
      kind: "approximate",
      version: 1,
      epsilon: notNegative(fields, "epsilon"),
      delta: fraction(fields, "delta"),
      ...nameOf(fields),
    };
  },
  zcdp(fields) {
    only(fields, ["kind", "version", "rho", "of"], "zcdp event");
    return { kind: "zcdp", version: 1, rho: notNegative(fields, "rho"), ...nameOf(fields) };
  },
  "bounded-range"(fields) {
    only(fields, ["kind", "version", "epsilon", "of"], "bounded-range event");
    return { kind: "bounded-range", version: 1, epsilon: notNegative(fields, "epsilon"), ...nameOf(fields) };
  },
  "gaussian-dp"(fields) {
    only(fields, ["kind", "version", "muSquared", "of"], "gaussian-dp event");
    return {
      kind: "gaussian-dp",
      version: 1,
      muSquared: notNegative(fields, "muSquared"),
      ...nameOf(fields),
    };
  },
  "finite-pair"(fields) {
    only(fields, ["kind", "version", "p", "q", "of"], "finite-pair event");
    const p = probabilities(fields, "p");
    const q = probabilities(fields, "q");
    if (p.length !== q.length) throw invalidParameter("q", `${q.length} outcomes`, "as long as p");
    return { kind: "finite-pair", version: 1, p, q, ...nameOf(fields) };
  },
  gaussian(fields) {
    only(fields, ["kind", "version", "sigma", "sensitivity"], "gaussian event");
    return {
      kind: "gaussian",
      version: 1,
      sigma: positive(fields, "sigma"),
      sensitivity: notNegative(fields, "sensitivity"),
    };
  },
  "continuous-laplace"(fields) {
    only(fields, ["kind", "version", "scale", "sensitivity"], "continuous-laplace event");
    return {
      kind: "continuous-laplace",
      version: 1,
      scale: positive(fields, "scale"),
      sensitivity: notNegative(fields, "sensitivity"),
    };
  },
  shuffle(fields) {
    only(fields, ["kind", "version", "reports", "epsilon"], "shuffle event");
    return {
      kind: "shuffle",
      version: 1,
      reports: integer(fields, "reports", 1n),
      epsilon: notNegative(fields, "epsilon"),
    };
  },
  "random-allocation"(fields) {
    only(fields, ["kind", "version", "steps", "selected", "sigma", "sensitivity"], "random-allocation event");
    return {
      kind: "random-allocation",
      version: 1,
      steps: integer(fields, "steps", 1n),
      selected: part(fields, "selected", "steps"),
      sigma: positive(fields, "sigma"),
      sensitivity: notNegative(fields, "sensitivity"),
    };
  },
  "gaussian-mixture"(fields) {
    only(fields, ["kind", "version", "sigma", "moves"], "gaussian-mixture event");
    const moves = list(fields.moves, "moves").map((each) => {
      const entry = record(each, "entry of moves");
      only(entry, ["weight", "move"], "entry of moves");
      return { weight: fraction(entry, "weight"), move: notNegative(entry, "move") };
    });
    checkWeights(
      moves.map(({ weight }) => parseRational(weight)),
      "weights",
    );
    return { kind: "gaussian-mixture", version: 1, sigma: positive(fields, "sigma"), moves };
  },
  "poisson-sample"(fields, read) {
    only(fields, ["kind", "version", "rate", "event"], "poisson-sample event");
    return { kind: "poisson-sample", version: 1, rate: fraction(fields, "rate"), event: read(fields.event) };
  },
  "truncated-poisson-sample"(fields, read) {
    only(
      fields,
      ["kind", "version", "rate", "population", "limit", "event"],
      "truncated-poisson-sample event",
    );
    return {
      kind: "truncated-poisson-sample",
      version: 1,
      rate: fraction(fields, "rate"),
      population: integer(fields, "population", 1n),
      limit: part(fields, "limit", "population"),
      event: read(fields.event),
    };
  },
  "sample-without-replacement"(fields, read) {
    only(fields, ["kind", "version", "population", "sample", "event"], "sample-without-replacement event");
    return {
      kind: "sample-without-replacement",
      version: 1,
      population: integer(fields, "population", 1n),
      sample: part(fields, "sample", "population"),
      event: read(fields.event),
    };
  },
  group(fields, read) {
    only(fields, ["kind", "version", "size", "event"], "group event");
    return { kind: "group", version: 1, size: integer(fields, "size", 1n), event: read(fields.event) };
  },
  mix(fields, read) {
    only(fields, ["kind", "version", "parts"], "mix event");
    const parts = list(fields.parts, "parts").map((each) => {
      const entry = record(each, "part");
      only(entry, ["weight", "event"], "part");
      return { weight: fraction(entry, "weight"), event: read(entry.event) };
    });
    checkWeights(
      parts.map(({ weight }) => parseRational(weight)),
      "weights",
    );
    return { kind: "mix", version: 1, parts };
  },
  "repeat-and-select"(fields, read) {
    only(fields, ["kind", "version", "trials", "event"], "repeat-and-select event");
    return {
      kind: "repeat-and-select",
      version: 1,
      trials: trialCount(fields.trials),
      event: read(fields.event),
    };
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
