import { lossFromJson, type PrivacyLoss, type PrivacyMeasure } from "@lethe/core";
import { zeroLoss } from "@lethe/core/accounting";
import { boundedSum } from "../../scopes/meter.ts";
import type { RequestHistory } from "./advance.ts";
import type { Entry } from "./entry.ts";

/** All that the first format's records say of one principal, of which its balance kept the ε or ρ of those listed. */
export interface FirstPrincipal {
  readonly spent: PrivacyLoss;
  readonly failures: number;
  readonly open: number;
}

/** Adds what an entry says of a principal, and moves what it renames, in the map itself. `history` is that of the request before it. */
export function rememberPrincipal(
  principals: Map<string, FirstPrincipal>,
  measure: PrivacyMeasure,
  entry: Entry,
  history: RequestHistory,
): void {
  const nobody: FirstPrincipal = { spent: zeroLoss(measure), failures: 0, open: 0 };
  const change = (name: string, changed: (before: FirstPrincipal) => FirstPrincipal): void => {
    principals.set(name, changed(principals.get(name) ?? nobody));
  };
  if (entry.kind === "reserve") {
    const loss = lossFromJson(entry.payload.loss);
    change(entry.payload.principal, (before) => ({
      ...before,
      spent: boundedSum(before.spent, loss),
      open: before.open + 1,
    }));
  }
  if ((entry.kind === "settle" || entry.kind === "fail") && history.reserve) {
    const closed = history.failures === 0 ? 1 : 0;
    const failed = entry.kind === "fail" ? 1 : 0;
    change(history.reserve.principal, (before) => ({
      ...before,
      open: before.open - closed,
      failures: before.failures + failed,
    }));
  }
  if (entry.kind !== "apply") return;
  const moves = entry.payload.renamed.map(({ from, to }) => ({
    from,
    to,
    was: principals.get(from) ?? nobody,
  }));
  for (const { from, was } of moves) principals.set(from, { ...nobody, open: was.open });
  for (const { to, was } of moves)
    change(to, (before) => ({
      ...before,
      spent: boundedSum(before.spent, was.spent),
      failures: before.failures + was.failures,
    }));
}
