import type {
  KeyProgram,
  KeyValue,
  MeasurementProgram,
  ReleaseProgram,
  TotalsProgram,
} from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { readTime, writeTime } from "../expressions/calendar/times.ts";
import { isIntegral, isTime } from "../expressions/domain.ts";
import type { Expression } from "../expressions/expression.ts";
import { byName, missing } from "../refusals/by-name.ts";
import type { NamedKey } from "../resolve/names/resolved-query.ts";
import type { Measurement, Plan, PlannedKeyValue, PlannedTotals } from "./plan.ts";

/**
 * Returns the steps that turn the exact rows of a plan into a release: the part of the plan that core runs, with keys as engines
 * return them.
 */
export function releaseProgram(plan: Plan): ReleaseProgram {
  return {
    measurements: measurementPrograms(plan, plan.measurements),
    trees: (plan.trees ?? []).map(({ branching, height, noise }) => ({ branching, height, noise })),
    keys: keyProgram(plan),
    ...(plan.totals ? { totals: plan.totals.map((total) => totalsProgram(total, plan)) } : {}),
  };
}

function totalsProgram({ keys, declared, measurements }: PlannedTotals, plan: Plan): TotalsProgram {
  const parts = keys.map((name) => byName(plan.keys.parts, name));
  return {
    keys: parts.map((part) => plan.keys.parts.indexOf(part)),
    ...(declared ? { declared: declared.map((key) => decodeKey(key, parts)) } : {}),
    measurements: measurementPrograms(plan, measurements),
  };
}

/** Returns what core runs for measurements: it finds the sums by their places among the engine's columns. */
function measurementPrograms(
  { sums }: Plan,
  measurements: readonly Measurement[],
): readonly MeasurementProgram[] {
  const places = new Map(sums.map(({ name }, place) => [name, place]));
  return measurements.map(({ terms, noise }) => ({
    terms: terms.map(({ sum, coefficient }) => ({ column: places.get(sum) ?? missing(sum), coefficient })),
    noise,
  }));
}

function keyProgram({ keys }: Plan): KeyProgram {
  if (keys.program.kind !== "public") return keys.program;
  const { parts, program } = keys;
  return { kind: "public", groups: program.declared.map((key) => decodeKey(key, parts)) };
}

/**
 * Returns a declared key as engines return it. Integer keys and times are bigints there; the domain of the key's expression says
 * which keys are.
 */
export function decodeKey(key: readonly PlannedKeyValue[], parts: readonly NamedKey[]): readonly KeyValue[] {
  return key.map((value, at) => {
    const { domain } = elementAt(parts, at).expression;
    if (isTime(domain) && typeof value === "string") return BigInt(readTime(domain.type, value)!);
    return typeof value === "number" && isIntegral(domain) ? BigInt(value) : value;
  });
}

/** Returns a key as people read it: times are written out. */
export function shownKey(key: readonly KeyValue[], parts: readonly NamedKey[]): readonly KeyValue[] {
  return key.map((value, at) => {
    const { domain } = elementAt(parts, at).expression;
    return isTime(domain) && value !== null ? writeTime(domain.type, Number(value)) : value;
  });
}

/** Returns a declared key as JSON has it. Integers of the policy are exact in doubles. */
export function encodeKey(key: readonly KeyValue[], parts: readonly NamedKey[]): readonly PlannedKeyValue[] {
  return shownKey(key, parts).map((value) => (typeof value === "bigint" ? Number(value) : value));
}

export function isIntegerKey(expression: Expression): boolean {
  return isIntegral(expression.domain);
}
