import { invalidParameter, LetheError } from "../../errors/lethe-error.ts";
import type { ZcdpLoss } from "../../losses/measures/loss.ts";
import type { Filter, FilterMeasure } from "./filter.ts";

/**
 * Why interactive mechanisms that run at the same time, their questions interleaved by the analyst, cost no more than the same
 * losses one after another. That a filter of non-interactive mechanisms is then one of interactive ones, with losses chosen as
 * one goes, is Haney, Shoemate, Tian, Vadhan, Vyrros, Xu & Zhang 2023 (arXiv 2309.05901), for (ε, δ)-DP and Rényi DP of any order.
 */
export const concurrentTheorem: Readonly<Record<FilterMeasure, string>> = {
  pure: "Vadhan & Wang 2021 (arXiv 2105.14427)",
  approximate: "Lyu 2022; Vadhan & Zhang 2023 (arXiv 2207.08335)",
  zcdp: "Lyu 2022, Rényi DP at every order",
  renyi: "Lyu 2022, Rényi DP",
};

/** An interactive mechanism that was paid for. */
export interface Session {
  /** Errors: account.budget when the session is closed. */
  ask<T>(question: () => T): T;
  /** Nothing is given back: the loss was that of the whole session. */
  close(): void;
}

/**
 * Opens an interactive mechanism of this loss under a filter, beside any others that are open. It is charged in full before its
 * first answer; its own proof must bound the whole interaction, not one answer. A PLD has no such theorem with adaptive losses
 * and no filter, so there is none to pass. Errors: account.budget, parameter.invalid.
 * @example const session = openSession(filter, { measure: "pure", epsilon: ratio(1n, 10n) });
 */
export function openSession<L, Left>(filter: Filter<L, Left>, loss: L): Session {
  if (filter.measure === "zcdp" && ownDelta(loss)) {
    throw invalidParameter(
      "delta of the loss",
      "above 0",
      "0: no theorem runs approximate zCDP concurrently",
    );
  }
  filter.spend(loss);
  let open = true;
  return {
    ask(question) {
      if (!open) {
        throw new LetheError("account.budget", "this session is closed", {
          fix: "open another one, at its own loss",
        });
      }
      return question();
    },
    close() {
      open = false;
    },
  };
}

function ownDelta(loss: unknown): boolean {
  return (loss as ZcdpLoss).delta.num !== 0n;
}
