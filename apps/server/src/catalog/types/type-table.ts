import { refused } from "../refuse.ts";
import type { Tuple, Value } from "./values.ts";

/** One type, as its row in pg_type tells it. */
export interface TypeFact {
  readonly oid: number;
  readonly name: string;
  readonly namespace: number;
  /** The bytes of a value; -1 where they vary. */
  readonly length: number;
  /** b: base, c: composite, d: domain, e: enum, p: pseudo, r: range, m: multirange. */
  readonly kind: string;
  readonly category: string;
  readonly isPreferred: boolean;
  /** The type of the items of a true array; 0 of any other type. */
  readonly element: number;
  /** The type of arrays of it; 0 where there is none. */
  readonly array: number;
  /** The type that a domain restricts; 0 of any other type. */
  readonly base: number;
  readonly typmod: number;
  /** The relation whose rows a composite type is of; 0 of any other type. */
  readonly relation: number;
  readonly byValue: boolean;
  readonly align: string;
  readonly storage: string;
  readonly collation: number;
}

/** The types of a catalog, by number and by name. */
export class TypeTable {
  readonly #facts = new Map<number, TypeFact>();
  readonly #names = new Map<string, TypeFact>();

  /** @param names the columns of pg_type, in the order of its rows */
  constructor(names: readonly string[], rows: readonly Tuple[], subscripted: number) {
    const at = (name: string): number => names.indexOf(name);
    const [subscript, element] = [at("typsubscript"), at("typelem")];
    const places = [
      "oid",
      "typname",
      "typnamespace",
      "typlen",
      "typtype",
      "typcategory",
      "typispreferred",
      "typarray",
      "typbasetype",
      "typtypmod",
      "typrelid",
      "typalign",
      "typstorage",
      "typcollation",
    ].map(at);
    const byValue = at("typbyval");
    for (const row of rows) {
      const [
        oid,
        name,
        namespace,
        length,
        kind,
        category,
        preferred,
        array,
        base,
        typmod,
        relation,
        ...rest
      ] = places.map((place) => row[place] as Value);
      const [align, storage, collation] = rest;
      const fact: TypeFact = {
        oid: Number(oid),
        name: String(name),
        namespace: Number(namespace),
        length: Number(length),
        kind: String(kind),
        category: String(category),
        isPreferred: preferred === true,
        element: row[subscript] === subscripted ? Number(row[element]) : 0,
        array: Number(array),
        base: Number(base),
        typmod: Number(typmod),
        relation: Number(relation),
        byValue: row[byValue] === true,
        align: String(align),
        storage: String(storage),
        collation: Number(collation),
      };
      this.#facts.set(fact.oid, fact);
      this.#names.set(`${fact.namespace}.${fact.name}`, fact);
    }
  }

  /** Errors: internal.invariant is none here: an unknown number is refused. */
  fact(oid: number): TypeFact {
    return this.#facts.get(oid) ?? refused("query.type", `there is no type of the number ${oid}`);
  }

  has(oid: number): boolean {
    return this.#facts.has(oid);
  }

  named(namespace: number, name: string): TypeFact | null {
    return this.#names.get(`${namespace}.${name}`) ?? null;
  }

  /** Returns what a domain restricts in the end, and any other type itself. */
  baseOf(oid: number): number {
    let fact = this.#facts.get(oid);
    while (fact?.kind === "d") fact = this.#facts.get(fact.base);
    return fact?.oid ?? oid;
  }

  /** Returns the type of an array's items; 0 for what is none. */
  elementOf(oid: number): number {
    return this.#facts.get(oid)?.element ?? 0;
  }

  /** Errors: query.type where there is no array of the type. */
  arrayOf(oid: number): number {
    const { array, name } = this.fact(oid);
    return array === 0 ? refused("query.type", `there is no array of the type ${name}`) : array;
  }

  categoryOf(oid: number): string {
    return this.#facts.get(oid)?.category ?? "X";
  }
}
