import type { boosting } from "./boosting.ts";
import type { convex } from "./convex.ts";
import type { network } from "./network.ts";
import type { RowModel } from "./row-model.ts";

interface RowModels {
  readonly boosting: typeof boosting;
  readonly convex: typeof convex;
  readonly network: typeof network;
}

/** The models that are trained on rows, by the word at `model` in a description. Each is loaded when one is described. */
const rowModels: { readonly [Kind in keyof RowModels]: () => Promise<RowModels[Kind]> } = {
  boosting: async () => (await import("./boosting.ts")).boosting,
  convex: async () => (await import("./convex.ts")).convex,
  network: async () => (await import("./network.ts")).network,
};

export type RowModelKind = keyof RowModels;
type Registered = RowModels[RowModelKind];
type ResultOf<Model> = Model extends RowModel<infer Result, unknown> ? Result : never;
type ExplainedOf<Model> = Model extends RowModel<unknown, infer Explained> ? Explained : never;

/** A model that was trained on rows. */
export type RowModelResult = ResultOf<Registered>;
/** What is told of such a training before it is paid. */
export type RowModelExplained = ExplainedOf<Registered>;

/** Whether a word names a model that is trained on rows. */
export function isRowModel(kind: string | null): kind is RowModelKind {
  return kind !== null && Object.hasOwn(rowModels, kind);
}

/** Loads a kind of model. */
export async function rowModelOf(kind: RowModelKind): Promise<RowModel<RowModelResult, RowModelExplained>> {
  return rowModels[kind]();
}
