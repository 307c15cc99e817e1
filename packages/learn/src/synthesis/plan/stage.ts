/** A step of a synthesis: what it asks of the rows and how precisely. `part` is the share of the plan's total that it may take. */
export type Stage =
  /** The counts of every attribute, with this noise on every cell. Values that are rare by them are merged. */
  | { readonly kind: "measure-each"; readonly tables: number; readonly sigma: string; readonly part: string }
  /** The tables of the target with each other attribute. */
  | {
      readonly kind: "measure-target";
      readonly tables: number;
      readonly sigma: string;
      readonly part: string;
    }
  /** A tree of pairs, each chosen by its distance from what the model says. */
  | {
      readonly kind: "choose-tree";
      readonly choices: number;
      readonly epsilon: string;
      readonly part: string;
    }
  /** The tables of the chosen pairs. */
  | {
      readonly kind: "measure-chosen";
      readonly tables: number;
      readonly sigma: string;
      readonly part: string;
    }
  /** The tables of all pairs. */
  | { readonly kind: "measure-pairs"; readonly tables: number; readonly sigma: string; readonly part: string }
  /** Rounds of one choice and one table each, at most so many, starting at this noise and ε, which may grow more precise; the last takes what is left. */
  | {
      readonly kind: "adaptive-rounds";
      readonly rounds: number;
      readonly sigma: string;
      readonly epsilon: string;
      readonly part: string;
    }
  /** The same with residuals of a pair in place of a table: they take what a table of this noise would, and are less noisy. */
  | {
      readonly kind: "residual-rounds";
      readonly rounds: number;
      readonly sigma: string;
      readonly epsilon: string;
      readonly part: string;
    };

/** Returns the stage of a kind; null where there is none. */
export function stageOf<K extends Stage["kind"]>(
  stages: readonly Stage[],
  kind: K,
): Extract<Stage, { readonly kind: K }> | null {
  const found = stages.find((stage): stage is Extract<Stage, { readonly kind: K }> => stage.kind === kind);
  return found ?? null;
}
