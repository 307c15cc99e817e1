import { boostingSql } from "@lethe/learn/boosting";
import { convexSql } from "@lethe/learn/convex";
import { networkSql } from "@lethe/learn/networks";
import type { RowModelExplained, RowModelResult } from "../train/row-models.ts";
import type { RowModelExplanation } from "../train/train-on-rows.ts";
import { renderBoosted, renderExplainedBoosting } from "./boosting.ts";
import { renderConvex, renderExplainedConvex } from "./convex.ts";
import { renderLoss } from "./loss.ts";
import { renderExplainedNetwork, renderNetwork } from "./network.ts";

type Kind = RowModelResult["kind"];

/** How a kind of model is shown. */
interface Shown<K extends Kind> {
  readonly model: (model: Extract<RowModelResult, { readonly kind: K }>) => string;
  readonly explained: (explained: Extract<RowModelExplained, { readonly kind: K }>) => readonly string[];
  /** The list of a SELECT that scores a row. */
  readonly sql: (model: Extract<RowModelResult, { readonly kind: K }>) => string;
}

const shown: { readonly [K in Kind]: Shown<K> } = {
  boosting: { model: renderBoosted, explained: renderExplainedBoosting, sql: boostingSql },
  convex: { model: renderConvex, explained: renderExplainedConvex, sql: convexSql },
  network: { model: renderNetwork, explained: renderExplainedNetwork, sql: networkSql },
};

/** Shown by its own kind: the register above has each under its own. */
interface AnyShown {
  readonly model: (model: RowModelResult) => string;
  readonly explained: (explained: RowModelExplained) => readonly string[];
  readonly sql: (model: RowModelResult) => string;
}

const shownAs = (kind: Kind): AnyShown => shown[kind] as unknown as AnyShown;

/** A model that was trained on rows, for a person to read. */
export function renderRowModel(model: RowModelResult): string {
  return shownAs(model.kind).model(model);
}

/** The same as the list of a SELECT. Errors: model.invalid for one that SQL cannot say. */
export function rowModelSql(model: RowModelResult): string {
  return shownAs(model.kind).sql(model);
}

/** What such a training costs and how noisy it is, for a person to read before paying. */
export function renderRowModelExplanation({ price, unit, model }: RowModelExplanation): string {
  return [
    `Price   ${renderLoss(price)} for the whole training   (nothing is charged, no row is read)`,
    `Unit    ${unit}`,
    ...shownAs(model.kind).explained(model),
  ].join("\n");
}
