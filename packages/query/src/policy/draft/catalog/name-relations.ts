import type { Catalog, CatalogColumn, CatalogRelation } from "../../catalog.ts";
import { isName } from "../../check-name.ts";
import { said } from "./said.ts";

/** A relation under the name that the policy gives it. */
export interface NamedRelation {
  readonly name: string;
  /** The text schema.relation, where the name alone would mean another relation; null where it does not. */
  readonly relation: string | null;
  readonly facts: CatalogRelation;
  /** The columns that can be asked. */
  readonly columns: readonly (CatalogColumn & { readonly type: NonNullable<CatalogColumn["type"]> })[];
  /** The reasons why other columns cannot. */
  readonly leftOut: readonly string[];
}

/**
 * Gives relations names that a policy can hold, each once whatever its case: a second table of a name is called after its schema
 * too. `refused` says what cannot be named.
 */
export function nameRelations(
  { relations }: Catalog,
  defaultSchema: string,
): { readonly named: readonly NamedRelation[]; readonly refused: readonly string[] } {
  const named: NamedRelation[] = [];
  const refused: string[] = [];
  const taken = new Set<string>();
  for (const facts of inOrder(relations, defaultSchema)) {
    const { schema, name: own } = facts;
    const place = said(schema === defaultSchema ? own : `${schema}.${own}`);
    if ([schema, own].some((part) => !isName(part) || part.includes("."))) {
      refused.push(
        `${place} has a name that a policy cannot hold, or one with a dot: give it a view of another name`,
      );
      continue;
    }
    const { columns, leftOut } = askable(facts.columns);
    if (columns.length === 0) {
      refused.push(`${place} has no column that can be asked`);
      continue;
    }
    const candidates = [own, `${schema}_${own}`, ...[2, 3, 4, 5].map((i) => `${schema}_${own}_${i}`)];
    const name = candidates.find((candidate) => isName(candidate) && !taken.has(candidate.toLowerCase()));
    if (name === undefined) {
      refused.push(`${place} has the name of another table, but for its schema or its case`);
      continue;
    }
    taken.add(name.toLowerCase());
    const relation = schema === defaultSchema && name === own ? null : `${schema}.${own}`;
    named.push({ name, relation, facts, columns, leftOut });
  }
  return { named, refused };
}

function inOrder(relations: readonly CatalogRelation[], defaultSchema: string): readonly CatalogRelation[] {
  const schema = (relation: CatalogRelation): string =>
    relation.schema === defaultSchema ? "" : relation.schema;
  return [...relations].sort((a, b) => compareTexts(schema(a), schema(b)) || compareTexts(a.name, b.name));
}

/** Compares texts by code unit: the order is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function askable(all: readonly CatalogColumn[]): Pick<NamedRelation, "columns" | "leftOut"> {
  const columns: NamedRelation["columns"][number][] = [];
  const leftOut: string[] = [];
  const taken = new Set<string>();
  for (const column of all) {
    const { name, native, type } = column;
    if (!isName(name))
      leftOut.push(`a column called ${said(name)} is left out: a policy cannot hold its name`);
    else if (type === null)
      leftOut.push(`${said(name)} is left out: its type, ${said(native)}, cannot be asked`);
    else if (taken.has(name.toLowerCase()))
      leftOut.push(`${said(name)} is left out: SQL could not tell it from another column, but for case`);
    else {
      taken.add(name.toLowerCase());
      columns.push({ ...column, type });
    }
  }
  return { columns, leftOut };
}
