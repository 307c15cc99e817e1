import type { Plan } from "@lethe/query";
import type { Cell, Column, ReadRelease } from "../format/release.ts";

/** An answer that is made of releases, as it stands in a file: declared here once more, as the release is. */
export interface MadeAnswer {
  readonly version: 1;
  readonly kind: "made-answer";
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly notes: readonly string[];
  readonly confidence: number;
  readonly plan: Plan;
  readonly errors: readonly { readonly column: string; readonly here: number; readonly anew: number }[];
  readonly of: readonly { readonly requestId: string; readonly certificate: string; readonly at: string }[];
  readonly releases: readonly unknown[];
}

/** A made answer, and its releases as they were read. */
export interface ReadMade {
  readonly made: MadeAnswer;
  readonly releases: readonly ReadRelease[];
}
