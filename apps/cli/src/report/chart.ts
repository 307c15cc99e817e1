import type { PlotOptions } from "@observablehq/plot";

export type PlotModule = typeof import("@observablehq/plot");

/** One drawing of a report, with everything that it shows in words and numbers too. */
export interface Chart {
  /** The id of the element; letters and dashes. */
  readonly id: string;
  readonly title: string;
  /** The description of what to see, in a sentence or two, for readers of all kinds. */
  readonly caption: string;
  readonly key: readonly KeyEntry[];
  /** The same as numbers: a head and rows. */
  readonly data: readonly (readonly string[])[];
  /** One or several panels, side by side where there is room. */
  panels(Plot: PlotModule): readonly PlotOptions[];
}

export interface KeyEntry {
  readonly text: string;
  readonly colour: keyof typeof colour;
  readonly mark: "dot" | "line" | "thin" | "dash" | "tick";
}

/** Colours are the page's, so that a drawing follows its light and its dark. */
export const colour = {
  lethe: "var(--lethe)",
  naive: "var(--naive)",
  other: "var(--other)",
  another: "var(--another)",
  ceiling: "var(--ceiling)",
  ink: "var(--ink)",
  soft: "var(--soft)",
  grid: "var(--grid)",
  paper: "var(--paper)",
} as const;

export const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

export const isLethe = ({ service }: { readonly service: string }): boolean => service.startsWith("Lethe");
