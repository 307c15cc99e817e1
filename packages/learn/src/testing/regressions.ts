import type { Model, RegressionTask } from "../model/model.ts";
import type { Layout } from "../statistics/layout.ts";
import { layoutOf } from "../statistics/layout-of.ts";
import type { Row } from "./measured.ts";

/** A regression of "y" on some numbers "x0" … in [−2, 6] and, where asked, the categories of "c". */
export function regressionOf(
  numbers: number,
  block: boolean,
  choice: Partial<Pick<RegressionTask, "intercept" | "penalty">> = {},
): { readonly model: Model; readonly task: RegressionTask; readonly layout: Layout } {
  const { intercept = true, penalty = 0 } = choice;
  const number = (name: string, bounds: readonly [number, number]) =>
    ({ kind: "number", name, bounds, nullable: false }) as const;
  const task: RegressionTask = {
    kind: penalty > 0 ? "ridge-regression" : "linear-regression",
    target: number("y", [0, 10]),
    features: [
      ...Array.from({ length: numbers }, (_, i) => number(`x${i}`, [-2, 6])),
      ...(block
        ? [{ kind: "category", name: "c", categories: ["p", "q", "r"], nullable: false } as const]
        : []),
    ],
    intercept,
    penalty,
  };
  const model: Model = { version: 1, source: "t", where: null, task };
  return { model, task, layout: layoutOf(model) };
}

export type Kind = "spread" | "correlated" | "nearly singular" | "singular";

/** Rows of a random linear law; z[0] is the target. Where singular, the last number is the one before it. */
export function randomRows(
  count: number,
  numbers: number,
  kind: Kind,
  uniform: () => number,
): readonly Row[] {
  const near = { spread: 1, correlated: 0.4, "nearly singular": 0.03, singular: 0 }[kind];
  const slopes = Array.from({ length: numbers }, () => (uniform() - 0.5) * 1.5);
  const widths = Array.from({ length: numbers }, () => 0.2 + 0.8 * uniform());
  const middle = (uniform() - 0.5) * 0.4;
  const clamp = (x: number): number => Math.min(1, Math.max(-1, x));
  return Array.from({ length: count }, () => {
    const x = widths.map((width) => clamp(middle + width * (2 * uniform() - 1)));
    const last = x.length - 1;
    if (last > 0 && near < 1) x[last] = clamp((x[last - 1] ?? 0) + near * (2 * uniform() - 1));
    const category = Math.floor(3 * uniform() ** 1.5);
    const mean = x.reduce((sum, value, i) => sum + value * (slopes[i] ?? 0), 0.1 + 0.1 * category);
    return { z: [clamp(mean + 0.3 * (2 * uniform() - 1)), ...x], categories: [category] };
  });
}
