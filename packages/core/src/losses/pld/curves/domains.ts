import { invalidParameter } from "../../../errors/lethe-error.ts";

export function checkEpsilon(epsilon: number): void {
  if (!(epsilon >= 0 && epsilon < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("epsilon", epsilon, "a finite number ≥ 0");
  }
}

export function checkDelta(delta: number): void {
  if (!(delta >= 0 && delta < 1)) throw invalidParameter("delta", delta, "a number in [0, 1)");
}

export function checkAlpha(alpha: number): void {
  if (!(alpha >= 0 && alpha <= 1)) throw invalidParameter("alpha", alpha, "a number in [0, 1]");
}
