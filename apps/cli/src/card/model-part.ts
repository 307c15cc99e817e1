import type { Adjacency } from "@lethe/core";
import type { OwnersWords } from "@lethe/learn";
import type { Block } from "./markdown.ts";

/** The part of a card about one model. A new kind of model is a function that gives it, and a line in ./card-kinds.ts. */
export interface ModelPart extends OwnersWords {
  /** @example "Linear regression of cost" */
  readonly title: string;
  /** The table or view of the policy, and the condition on its rows. */
  readonly source: string;
  readonly where: string | null;
  /** The nature of the model and what it gives, in sentences. */
  readonly about: readonly string[];
  readonly columns: readonly CardColumn[];
  /** The figures of error that the release itself carries. */
  readonly exactness: readonly Block[];
  /** Facts that one might take for known of a model of this kind, and that were not measured. */
  readonly unmeasured: readonly string[];
}

/** The part of a fitted model that its fit states; rows and words come from its description. */
export type FittedPart = Omit<ModelPart, "source" | "where" | "purpose" | "limits">;

/** The part of a card about a procedure's result. */
export interface ProcedurePart extends ModelPart {
  readonly unit: UnitRows;
}

/** How much of the data one unit can be, as the plan of a procedure states it. */
export interface UnitRows {
  readonly adjacency: Adjacency;
  /** The most rows that a unit counts as; null where all its rows count as one. */
  readonly rows: number | null;
  /** Whatever else limits a unit, in sentences. */
  readonly limits: readonly string[];
}

/** A column with what is public of it. */
export interface CardColumn {
  readonly name: string;
  readonly use: "predicted" | "feature" | "column";
  readonly values:
    | { readonly kind: "number"; readonly bounds: readonly [number, number]; readonly bins?: number }
    | { readonly kind: "category"; readonly categories: readonly (string | number | boolean)[] };
  /** The fate of rows that have no value there. */
  readonly missing: "never" | "left out" | "a value of its own" | "neutral";
}
