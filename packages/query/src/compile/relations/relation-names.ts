import { type ColumnExpression, columnId } from "../../expressions/expression.ts";
import { atKey } from "../../policy/entry-of.ts";
import {
  allSources,
  type JoinedKeys,
  type JoinRelation,
  type KeyOfSource,
  type MarkedRelation,
  namesEveryUnit,
  type Relation,
  shownSources,
} from "../../relations/relation.ts";

type ColumnOfSource = Pick<ColumnExpression, "source" | "name">;

/** Under which names the columns of a relation's sources stand in its SELECT, and the keys that are compared as they are written. */
export class RelationNames {
  readonly #names = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  constructor(relation: Relation) {
    for (const { source, columns } of allSources(relation))
      for (const name of Object.keys(columns))
        this.#names.set(columnId(named(source, name)), `c${this.#names.size}`);
    for (const key of keysOf(relation))
      if (!this.#keys.has(keyId(key))) this.#keys.set(keyId(key), `k${this.#keys.size}`);
  }

  of(column: ColumnOfSource): string {
    return atKey(this.#names, columnId(column));
  }

  ofSource(source: string | null, name: string): string {
    return this.of(named(source, name));
  }

  ofKey(key: KeyOfSource): string {
    return atKey(this.#keys, keyId(key));
  }

  /** The keys of one source, each as the policy's column and its name. */
  keysOf(source: string | null): (readonly [column: string, name: string])[] {
    return [...this.#keys].flatMap(([id, name]) => {
      const [of, column] = JSON.parse(id) as [string, string];
      return of === source ? [[column, name] as const] : [];
    });
  }

  /** The columns that a relation's SELECT gives, but for u. */
  shown(relation: Relation): string[] {
    return shownSources(relation).flatMap(({ source, columns }) => [
      ...Object.keys(columns).map((name) => this.ofSource(source, name)),
      ...this.keysOf(source).map(([, name]) => name),
    ]);
  }
}

function named(source: string | null, name: string): ColumnOfSource {
  return source === null ? { name } : { source, name };
}

const keyId = ({ source, column }: KeyOfSource): string => JSON.stringify([source, column]);

/** The keys that are compared as they are written: those of joins and marks that say more than that both rows are one unit's, and of limits. */
function* keysOf(relation: Relation): Iterable<KeyOfSource> {
  if (relation.kind === "table") {
    const { source, limits = [] } = relation;
    for (const limit of limits)
      if (limit.per === "unit-and-key" && source !== null) yield { source, column: limit.column };
    return;
  }
  if (relation.kind === "list") return;
  if (relation.kind === "union") {
    for (const { of } of relation.parts) yield* keysOf(of);
    return;
  }
  const sides = sidesOf(relation);
  for (const side of sides) yield* keysOf(side);
  if (relation.kind !== "join" && relation.kind !== "marked") return;
  for (const { left, right } of keysMet(relation)) {
    yield left;
    yield right;
  }
}

function sidesOf(
  relation: Exclude<Relation, { readonly kind: "table" | "list" | "union" }>,
): readonly [Relation] | readonly [Relation, Relation] {
  if (relation.kind === "join") return [relation.left, relation.right];
  return relation.kind === "semijoin" || relation.kind === "marked"
    ? [relation.of, relation.among]
    : [relation.of];
}

/**
 * The keys by which rows of a join meet, or those of a mark. Rows of one unit meet anyway: columns that name it need no
 * comparison of their own.
 */
export function keysMet(relation: JoinRelation | MarkedRelation): readonly JoinedKeys[] {
  const [left, right] =
    relation.kind === "join" ? [relation.left, relation.right] : [relation.of, relation.among];
  return relation.keys.filter(
    (pair) => !(namesEveryUnit(left, pair.left) && namesEveryUnit(right, pair.right)),
  );
}
