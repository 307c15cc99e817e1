import { type Domain, type Policy, parseQuestion, resolveQuestion } from "@lethe/query";
import { same } from "./procedure-checks.ts";
import { quoted } from "./stated-condition.ts";

/** A finding for each column that the policy does not declare as a plan names it. */
export async function undeclaredOf(
  columns: readonly StatedColumn[],
  source: string,
  policy: Policy,
): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const column of columns)
    if (!(await isDeclaredColumn(column, source, policy)))
      findings.push(`column ${column.name} is not declared so in the policy`);
  return findings;
}

/** What a column of the policy's table or view can hold; null for one that is not there. */
export async function domainOf(name: string, source: string, policy: Policy): Promise<Domain | null> {
  try {
    const question = await parseQuestion(`SELECT COUNT(DISTINCT ${quoted(name)}) FROM ${quoted(source)}`);
    const [counted] = resolveQuestion(question, policy).aggregates;
    return counted?.kind === "count-distinct" ? counted.argument.domain : null;
  } catch {
    return null;
  }
}

/** Whether edges are at even steps between the bounds; of whole numbers, between them, with as many numbers in each bin, give or take one. */
export function areEven(
  edges: readonly number[],
  [lo, hi]: readonly [number, number],
  integer: boolean,
): boolean {
  const bins = edges.length - 1;
  if (bins < 1) return false;
  const [first, width] = integer ? [Math.ceil(lo) - 0.5, Math.floor(hi) - Math.ceil(lo) + 1] : [lo, hi - lo];
  return edges.every((edge, at) => {
    const due = first + (integer ? Math.floor((width * at) / bins) : (width * at) / bins);
    return Math.abs(edge - due) <= 1e-9 * (Math.abs(lo) + Math.abs(hi));
  });
}

/** A column as a description or a plan states it. */
export type StatedColumn =
  | { readonly kind: "number"; readonly name: string; readonly bounds: readonly [number, number] }
  | {
      readonly kind: "category";
      readonly name: string;
      readonly categories: readonly (string | number | boolean)[];
    };

/** Whether a column of a table or view has these bounds or categories by the policy; of NULL, where the column says whether rows may have it there. */
export async function isDeclaredColumn(
  column: StatedColumn & { readonly nullable?: boolean },
  source: string,
  policy: Policy,
): Promise<boolean> {
  const domain = await domainOf(column.name, source, policy);
  if (domain === null || (column.nullable ?? domain.nullable) !== domain.nullable) return false;
  if (column.kind === "number") return domain.type === "number" && same(column.bounds, domain.bounds);
  return areCategories(column.categories, domain);
}

/** Whether these are all values of a domain, each once. */
export function areCategories(categories: readonly (string | number | boolean)[], domain: Domain): boolean {
  if (domain.type === "boolean") return same(categories, [false, true]);
  if ((domain.type !== "number" && domain.type !== "text") || domain.values === null) return false;
  const stated = new Set(categories);
  return (
    stated.size === categories.length &&
    stated.size === domain.values.length &&
    domain.values.every((value) => stated.has(value))
  );
}
