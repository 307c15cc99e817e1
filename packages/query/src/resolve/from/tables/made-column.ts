import type { Domain } from "../../../expressions/domain.ts";
import type { ColumnPolicy } from "../../../policy/policy.ts";

/** Returns the column policy that states the values of a domain. */
export function policyOfDomain(domain: Domain): ColumnPolicy {
  const { nullable } = domain;
  switch (domain.type) {
    case "boolean":
      return { type: "boolean", nullable, default: null };
    case "text":
      return {
        type: "text",
        nullable,
        categories: domain.values,
        default: null,
        maxLength: domain.maxLength,
      };
    case "number":
      return domain.integer
        ? { type: "integer", nullable, bounds: domain.bounds, categories: null, default: null }
        : { type: "number", nullable, bounds: domain.bounds, default: null };
    case "date":
    case "timestamp":
      return { type: domain.type, nullable, bounds: domain.bounds, default: null };
  }
}

/**
 * Returns the domain of values once a column of that policy holds them. Fractions are rounded to the grid of their bounds, so a
 * list of fractions is lost.
 */
export function storedDomain(domain: Domain): Domain {
  return domain.type === "number" && !domain.integer ? { ...domain, values: null } : domain;
}

/**
 * Returns the name of a column that a subquery makes: its own, or a new one where another column has it, so that each column
 * keeps its own domain. No question can name either of two such columns, but * shows both.
 */
export function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let free = name;
  // `in` also finds names that every object has, such as __proto__.
  for (let n = 2; free in taken; n += 1) free = `${name}_${n}`;
  return free;
}
