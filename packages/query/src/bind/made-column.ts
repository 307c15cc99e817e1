import type { ColumnPolicy } from "../policy/policy.ts";
import type { Domain } from "./domain.ts";

/** As a policy would say what values a column holds. */
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

/** What is left of a domain in a column of that policy: on the grid of their bounds few fractions stay what they were. */
export function storedDomain(domain: Domain): Domain {
  return domain.type === "number" && !domain.integer ? { ...domain, values: null } : domain;
}

/**
 * What a column that a subquery makes is known by: its name, or where columns share one a name of its own, so that each is
 * what its domain says. No question can name either of two, but * shows both.
 */
export function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let free = name;
  // Also what every object has, such as __proto__.
  for (let n = 2; free in taken; n += 1) free = `${name}_${n}`;
  return free;
}
