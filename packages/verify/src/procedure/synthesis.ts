import type { Adjacency, Event } from "@lethe/core";
import type { OwnersWords } from "../format/owners-words.ts";

/** The plan of a synthetic table as it stands in a certificate, declared here once more. Numbers as texts are exact. */
export interface SynthesisPlan extends OwnersWords {
  readonly version: 1;
  readonly method: "mst" | "aim" | "residuals" | "aim-grem";
  readonly source: string;
  readonly where: string | null;
  readonly domain: readonly Attribute[];
  /** The column that others are to predict; left out where none is declared. */
  readonly target?: string;
  /** μ² under Gaussian DP, 2ρ under zCDP: a noisy table takes Δ₂²/σ² of it. */
  readonly session: {
    readonly measure: "gaussian-dp" | "zcdp";
    readonly total: string;
    readonly adjacency: Adjacency;
    readonly rowsPerUnit: string;
  };
  readonly stages: readonly { readonly kind: string; readonly part: string }[];
  readonly modelBytes: number;
  readonly event: Event;
}

export type Attribute = { readonly name: string; readonly nullable: boolean } & (
  | { readonly kind: "categories"; readonly categories: readonly (string | number | boolean)[] }
  | { readonly kind: "bins"; readonly edges: readonly number[]; readonly integer: boolean }
);

/** What a synthesis releases: the noisy tables, over values of which rare ones were merged. */
export interface ReleasedTables {
  readonly version: 1;
  /** The new place of each value of an attribute; null where none was merged. */
  readonly merged: readonly (readonly number[] | null)[];
  readonly measurements: readonly {
    readonly attributes: readonly number[];
    readonly values: readonly number[];
    /** Of every cell, or of each. */
    readonly variances: number | readonly number[];
  }[];
  /** Noisy contrasts of residuals, a part of a table each; left out where there are none. */
  readonly residuals?: readonly {
    readonly attributes: readonly number[];
    readonly values: readonly number[];
    /** Along each direction of the residual. */
    readonly variance: number;
  }[];
}
