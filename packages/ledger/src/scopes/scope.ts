import type { PrivacyMeasure } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { type Meter, type MeterText, meterText, newMeter, readMeter } from "./meter.ts";
import type { ScopeName } from "./scope-name.ts";

/** One scope below the account: its caps, and all that was ever charged to its name. */
export interface Scope {
  readonly name: ScopeName;
  /** Whether the policy states it. An analyst, a member or a project that is not listed may not ask where others are. */
  readonly listed: boolean;
  /** Whether the owner closed it, or revoked the analyst: it charges nothing more. */
  readonly shut: boolean;
  /** The lifetime's meter first, then windows. */
  readonly meters: readonly Meter[];
  /** Of an analyst: failed executions, and requests that paid and neither settled nor failed. */
  readonly failures: number;
  readonly open: number;
  /** Further executions of this analyst that may fail, beyond what every analyst may. */
  readonly moreFailures: number;
  /** Of a project: whether it lists its members, so that nobody else may ask in it. */
  readonly listsMembers: boolean;
}

/** Returns a scope that was never charged and that no policy states. */
export function newScope(measure: PrivacyMeasure, name: ScopeName): Scope {
  return {
    name,
    listed: false,
    shut: false,
    meters: [newMeter(measure, "ever", 0)],
    failures: 0,
    open: 0,
    moreFailures: 0,
    listsMembers: false,
  };
}

/** Canonical: two scopes are equal exactly where their texts are. */
export function scopeText(scope: Scope): string {
  return canonicalJson({ ...scope, meters: scope.meters.map(meterText) });
}

/** Reads what {@link scopeText} wrote; the caller has checked the text's hash. */
export function readScope(text: string): Scope {
  const json: Omit<Scope, "meters"> & { readonly meters: readonly MeterText[] } = JSON.parse(text);
  return { ...json, meters: json.meters.map(readMeter) };
}
