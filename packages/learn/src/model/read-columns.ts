import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { type Domain, type Policy, parseQuestion, type ResolvedQuery, resolveQuestion } from "@lethe/query";
import { quoted } from "../sql/quoted.ts";
import type { Category, ModelColumn } from "./model.ts";

/**
 * Resolves a column of a table or view of the policy to what it is encoded as: numbers with bounds as numbers; texts, integers and booleans
 * with public categories as categories.
 * Errors: those of resolving, and model.invalid for a column without public bounds or categories.
 */
export async function readColumn(source: string, name: string, policy: Policy): Promise<ModelColumn> {
  const domain = await publicDomain(source, name, policy);
  const categories = declaredCategories(source, name, policy) ?? categoriesOf(domain);
  if (categories) return { kind: "category", name, categories, nullable: domain.nullable };
  if (domain.type !== "number") {
    throw unfit(
      `${JSON.stringify(name)} is a ${domain.type} without public categories`,
      {
        text: `write categories: [a, b, c] at ${JSON.stringify(name)} in the policy, or take another column`,
        boolean: "take another column",
        date: "take a number, such as a difference of days, in a view",
        timestamp: "take a number, such as a difference of days, in a view",
      }[domain.type],
    );
  }
  const { bounds } = domain;
  if (!bounds || !(bounds[0] < bounds[1])) {
    throw unfit(
      `${JSON.stringify(name)} is a number without public bounds`,
      `write bounds: [lowest, highest] at ${JSON.stringify(name)} in the policy`,
    );
  }
  return { kind: "number", name, bounds, nullable: domain.nullable };
}

/** Resolves a column of a table or view to what is public of its values. Errors: those of resolving. */
export async function publicDomain(source: string, name: string, policy: Policy): Promise<Domain> {
  const text = `SELECT COUNT(DISTINCT ${quoted(name)}) FROM ${quoted(source)}`;
  return domainOf(resolveQuestion(await parseQuestion(text), policy));
}

/** The refusal of a column; its place in the file is put before it by {@link ./read-model.ts}. */
export function unfit(message: string, fix: string): LetheError {
  return new LetheError("model.invalid", message, { fix });
}

/** COUNT(DISTINCT x) keeps its argument, also where it is never NULL. */
function domainOf({ aggregates }: ResolvedQuery): Domain {
  const counted = elementAt(aggregates, 0);
  if (counted.kind === "count-distinct") return counted.argument.domain;
  throw new LetheError("internal.invariant", "a count of values was resolved to something else", {
    fix: "report this: Lethe could not read the domain of a column",
  });
}

/** Integers that the policy lists are categories, also where they follow each other. */
function declaredCategories(source: string, name: string, { tables }: Policy): readonly number[] | null {
  const columns = Object.hasOwn(tables, source) ? tables[source]?.columns : undefined;
  const column = columns && Object.hasOwn(columns, name) ? columns[name] : undefined;
  return column?.type === "integer" ? column.categories : null;
}

/** All integers between two bounds are a number's values, and not categories. */
function categoriesOf(domain: Domain): readonly Category[] | null {
  if (domain.type === "boolean") return [false, true];
  if (domain.type === "text") return domain.values;
  if (domain.type !== "number" || domain.values === null || domain.bounds === null) return null;
  const [lo, hi] = domain.bounds;
  return domain.integer && domain.values.length === hi - lo + 1 ? null : domain.values;
}
