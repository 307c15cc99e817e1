import { type AttackResult, isFinding } from "../attacks/attack.ts";
import type { AuditRow } from "./audit-row.ts";

/** Returns the row of an attack's result on one service: beside its ceiling, as a control, or only told. */
export function attackRow(result: AttackResult): AuditRow {
  const { attack, service, interval, ceiling, trials, note } = result;
  return {
    audit: "attacks",
    subject: `${attack}: ${service}`,
    of: ceiling !== null ? "lethe" : result.control !== null ? "control" : "told",
    finding: findingOf(result),
    claim: claimOf(result),
    measured: measuredOf(result),
    interval,
    ceiling,
    how:
      note ?? (isCounted(result) ? "all counted" : `${trials.toLocaleString("en")} trials, Clopper–Pearson`),
  };
}

function findingOf(result: AttackResult): string | null {
  if (result.ceiling !== null)
    return isFinding(result) ? "the attack succeeds more often than ε allows" : null;
  return result.control !== null && !isFinding(result) ? "the attack succeeds, as it must" : null;
}

function claimOf(result: AttackResult): string {
  const { blind, ceiling, control } = result;
  if (isCounted(result)) {
    if (ceiling !== null) return `at most ${ceiling}`;
    return control === null ? "none" : "none: the attack must succeed";
  }
  const guessing = `blind guessing ${percent(blind)}`;
  if (ceiling !== null) return `at most ${percent(ceiling)}, ${guessing}`;
  return control === null
    ? `none, ${guessing}`
    : `none: the attack must reach ${percent(control)}, ${guessing}`;
}

function measuredOf(result: AttackResult): string {
  const { measure, value, interval, trials } = result;
  if (isCounted(result)) return `${measure}: ${value} of ${trials.toLocaleString("en")}`;
  const [lo, hi] = interval.map(percent);
  return `${percent(value)} ${measure}, in [${lo}, ${hi}]`;
}

/** Whether a value was counted exactly: a share has an interval around it. */
function isCounted({ interval: [lo, hi] }: AttackResult): boolean {
  return lo === hi;
}

const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;
