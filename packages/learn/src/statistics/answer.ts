import type { Plan } from "@lethe/query";
import type { NoiseShape } from "./noise-shape.ts";
import type { Statistic } from "./statistic.ts";

/** What is read of a released answer: a gateway's Release is one. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly kind: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly certificate: { readonly plan: Plan };
}

/** One noisy sum. */
export interface Measured {
  readonly statistic: Statistic;
  readonly value: number;
  readonly noise: NoiseShape;
}
