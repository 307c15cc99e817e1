import { addAt, doubleAt, elementAt } from "@lethe/core/numeric";
import { refuse } from "../sampling/refusal.ts";

/** How noisy gradients move the weights: post-processing, so that any is as private as another. JSON. */
export type Optimizer =
  /** w ← w − rate·v, v ← momentum·v + g; momentum 0 unless stated. */
  | { readonly kind: "sgd"; readonly rate: number; readonly momentum?: number }
  /** Kingma & Ba 2015, Alg. 1; first .9, second .999, floor 1e-8 unless stated. */
  | {
      readonly kind: "adam";
      readonly rate: number;
      readonly first?: number;
      readonly second?: number;
      readonly floor?: number;
    };

export interface Descent {
  /** Moves the weights, in place, by the gradient of step `step`, counted from 0. */
  move(weights: Float64Array, gradient: Float64Array, step: number): void;
  /** What later steps need. */
  state(): readonly Float64Array[];
}

const isShare = (x: number): boolean => x >= 0 && x < 1;

/** Errors: parameter.invalid for a rate that is not above 0, or a share outside [0, 1). */
export function checkOptimizer(optimizer: Optimizer): void {
  const { kind, rate } = optimizer;
  if (kind !== "sgd" && kind !== "adam") {
    refuse({
      name: "optimizer",
      value: kind,
      condition: "sgd or adam",
      fix: 'give { kind: "sgd", rate: 0.1 }',
    });
  }
  const shares =
    kind === "sgd" ? [optimizer.momentum ?? 0] : [optimizer.first ?? 0.9, optimizer.second ?? 0.999];
  const isRate = rate > 0 && rate < Number.POSITIVE_INFINITY;
  if (!isRate || !shares.every(isShare)) {
    refuse({
      name: "optimizer",
      value: JSON.stringify(optimizer),
      condition: "of a finite rate above 0, and of shares from 0 to below 1",
      fix: 'give { kind: "sgd", rate: 0.1, momentum: 0.9 }',
    });
  }
}

/** Starts a descent, or goes on with one from the state that it left. */
export function openDescent(
  optimizer: Optimizer,
  parameters: number,
  state: readonly Float64Array[] = [],
): Descent {
  checkOptimizer(optimizer);
  const count = optimizer.kind === "adam" ? 2 : (optimizer.momentum ?? 0) > 0 ? 1 : 0;
  const held = Array.from({ length: count }, (_, i) => state[i]?.slice() ?? new Float64Array(parameters));
  const move = optimizer.kind === "adam" ? adam(optimizer, held) : sgd(optimizer, held);
  return { move, state: () => held.map((vector) => vector.slice()) };
}

function sgd(
  { rate, momentum = 0 }: Extract<Optimizer, { readonly kind: "sgd" }>,
  [velocity]: readonly Float64Array[],
): Descent["move"] {
  return (weights, gradient) => {
    for (let i = 0; i < weights.length; i++) {
      let along = doubleAt(gradient, i);
      if (velocity !== undefined) {
        along += momentum * doubleAt(velocity, i);
        velocity[i] = along;
      }
      addAt(weights, i, -rate * along);
    }
  };
}

function adam(
  { rate, first = 0.9, second = 0.999, floor = 1e-8 }: Extract<Optimizer, { readonly kind: "adam" }>,
  held: readonly Float64Array[],
): Descent["move"] {
  const [mean, square] = [elementAt(held, 0), elementAt(held, 1)];
  return (weights, gradient, step) => {
    const [meanShare, squareShare] = [1 - first ** (step + 1), 1 - second ** (step + 1)];
    for (let i = 0; i < weights.length; i++) {
      const along = doubleAt(gradient, i);
      mean[i] = first * doubleAt(mean, i) + (1 - first) * along;
      square[i] = second * doubleAt(square, i) + (1 - second) * along * along;
      const size = Math.sqrt(doubleAt(square, i) / squareShare) + floor;
      addAt(weights, i, (-rate * doubleAt(mean, i)) / (meanShare * size));
    }
  };
}
