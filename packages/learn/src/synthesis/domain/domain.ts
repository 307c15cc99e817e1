import { invalidParameter } from "@lethe/core";
import type { ModelColumn } from "../../model/model.ts";
import { type Attribute, attributeSize, checkedAttribute, evenEdges } from "./attribute.ts";

/** The columns of a synthetic table. Places in this list are what all else here calls attributes. */
export type Domain = readonly Attribute[];

/** The most columns of a synthetic table. */
export const mostAttributes = 256;
const mostValues = 2 ** 16;

/**
 * Returns the domain of columns that were read from a policy: categories as they are declared, numbers in bins of one width between their bounds.
 * Errors: parameter.invalid for no columns, names that come twice, more than 256 columns, or one of more than 65,536 values.
 * @example domainOf([{ kind: "number", name: "age", bounds: [0, 100], nullable: true }], 10).map(attributeSize) // => [11]
 */
export function domainOf(columns: readonly ModelColumn[], bins: number): Domain {
  return checkedDomain(
    columns.map((column): Attribute => {
      const { name, nullable } = column;
      return column.kind === "category"
        ? { kind: "categories", name, categories: column.categories, nullable }
        : { kind: "bins", name, edges: evenEdges(column.bounds, bins), integer: false, nullable };
    }),
  );
}

/** Returns the domain where it is one. Errors: as {@link domainOf}. */
export function checkedDomain(domain: Domain): Domain {
  if (!(domain.length >= 1 && domain.length <= mostAttributes)) {
    throw invalidParameter("attributes", domain.length, `from 1 to ${mostAttributes}`);
  }
  if (new Set(domain.map(({ name }) => name)).size !== domain.length) {
    throw invalidParameter("attributes", "names that come twice", "columns of different names");
  }
  for (const attribute of domain.map(checkedAttribute)) {
    const size = attributeSize(attribute);
    if (!(size <= mostValues))
      throw invalidParameter(`values of ${attribute.name}`, size, `at most ${mostValues}`);
  }
  return domain;
}

/** Returns the number of values of each attribute. */
export function sizesOf(domain: Domain): readonly number[] {
  return domain.map(attributeSize);
}
