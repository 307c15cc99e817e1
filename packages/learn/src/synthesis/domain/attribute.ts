import { invalidParameter } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { Category } from "../../model/model.ts";

/** A column of a synthetic table, with the values that it may have. They are public: from the policy, never from the data. */
export type Attribute = CategoryAttribute | BinnedAttribute;

export interface CategoryAttribute {
  readonly kind: "categories";
  readonly name: string;
  readonly categories: readonly Category[];
  /** NULL is one more value, the last. */
  readonly nullable: boolean;
}

/** Numbers from the first edge to the last, cut at public edges: bin i holds edges[i] ≤ x < edges[i + 1], the last bin its upper edge too. */
export interface BinnedAttribute {
  readonly kind: "bins";
  readonly name: string;
  /** Strictly increasing, at least two. */
  readonly edges: readonly number[];
  /** Whether values are whole numbers: synthetic ones are too. */
  readonly integer: boolean;
  readonly nullable: boolean;
}

/** Returns the number of values of an attribute, NULL among them. */
export function attributeSize(attribute: Attribute): number {
  return valuesBeforeNull(attribute) + (attribute.nullable ? 1 : 0);
}

/** Returns the number of categories, or of bins. */
export function valuesBeforeNull(attribute: Attribute): number {
  return attribute.kind === "categories" ? attribute.categories.length : attribute.edges.length - 1;
}

/**
 * Returns edges that cut [lo, hi] into bins of one width.
 * Errors: parameter.invalid unless lo < hi are finite and bins is an integer from 1 to 4096.
 * @example evenEdges([0, 10], 4) // => [0, 2.5, 5, 7.5, 10]
 */
export function evenEdges([lo, hi]: readonly [number, number], bins: number): readonly number[] {
  if (!(lo < hi && Number.isFinite(hi - lo))) throw invalidParameter("bounds", `${lo}..${hi}`, "lo < hi");
  if (!(Number.isInteger(bins) && bins >= 1 && bins <= 4096)) {
    throw invalidParameter("bins", bins, "an integer from 1 to 4096");
  }
  return Array.from({ length: bins + 1 }, (_, at) => (at === bins ? hi : lo + ((hi - lo) * at) / bins));
}

/** Returns the attribute where it can be encoded. Errors: parameter.invalid for no values, values that come twice, and edges out of order. */
export function checkedAttribute(attribute: Attribute): Attribute {
  if (attribute.kind === "categories") {
    const { categories, nullable, name } = attribute;
    if (new Set(categories).size !== categories.length || categories.length + Number(nullable) === 0) {
      throw invalidParameter("categories", name, "at least one value, each once");
    }
    return attribute;
  }
  const { edges, name } = attribute;
  const rising = edges.every(
    (edge, at) => Number.isFinite(edge) && (at === 0 || edge > elementAt(edges, at - 1)),
  );
  if (!(rising && edges.length >= 2))
    throw invalidParameter("edges", name, "two or more finite numbers that rise");
  return attribute;
}
