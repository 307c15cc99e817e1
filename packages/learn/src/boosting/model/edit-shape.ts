import { invalidParameter } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { Bin, BoostedModel, Shape } from "./boosted-model.ts";

/** The place of a value in its shape. Ends are null beyond the outermost edges; `missing` is true for rows without a value alone. */
export interface BinPlace {
  readonly bin: number | null;
  readonly from: number | null;
  readonly below: number | null;
  readonly categories: readonly (string | number | boolean)[];
  readonly missing: boolean;
}

/**
 * Returns the model with other values of one shape: what a person who knows the subject corrects. It reads no row, so it costs nothing. An edited
 * value is no measurement: its deviation is 0.
 * Errors: parameter.invalid for a column that has no shape, and for a value that is not finite.
 * @example editShape(model, "age", (value, { from }) => (from !== null && from >= 80 ? 0 : value))
 */
export function editShape(
  model: BoostedModel,
  name: string,
  edit: (value: number, place: BinPlace) => number,
): BoostedModel {
  const place = model.shapes.findIndex((shape) => shape.name === name);
  if (place < 0)
    throw invalidParameter("shape", name, `one of ${model.shapes.map((shape) => shape.name).join(", ")}`);
  const edited = (bin: Bin, at: BinPlace): Bin => {
    const value = edit(bin.value, at);
    if (!Number.isFinite(value)) throw invalidParameter(`value of ${name}`, value, "finite");
    return value === bin.value ? bin : { ...bin, value, deviation: 0 };
  };
  const shape = elementAt(model.shapes, place);
  const nowhere = { bin: null, from: null, below: null, categories: [], missing: true };
  const changed: Shape = {
    ...shape,
    bins: shape.bins.map((bin, at) => edited(bin, placeOf(shape, at))),
    missing: edited(shape.missing, nowhere),
  };
  return { ...model, shapes: model.shapes.with(place, changed) };
}

function placeOf(shape: Shape, bin: number): BinPlace {
  if (shape.kind === "category")
    return { bin, from: null, below: null, categories: shape.groups[bin] ?? [], missing: false };
  const { edges } = shape;
  return { bin, from: edges[bin - 1] ?? null, below: edges[bin] ?? null, categories: [], missing: false };
}
