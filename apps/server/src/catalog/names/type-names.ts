import type { Catalog } from "../catalog.ts";
import { oids } from "../types/oids.ts";
import { splitName } from "../types/quote-name.ts";

/** The words of types that the grammar knows under another name. */
const words: Readonly<Record<string, number>> = {
  boolean: oids.bool,
  smallint: oids.int2,
  integer: oids.int4,
  int: oids.int4,
  bigint: oids.int8,
  real: oids.float4,
  float: oids.float8,
  "double precision": oids.float8,
  decimal: oids.numeric,
  character: oids.bpchar,
  char: oids.bpchar,
  "character varying": oids.varchar,
  "bit varying": oids.varbit,
  "timestamp with time zone": oids.timestamptz,
  "timestamp without time zone": oids.timestamp,
  "time with time zone": oids.timetz,
  "time without time zone": oids.time,
};

/** Returns the number of a type that is written as text, such as "character varying(20)[]"; null where there is none. */
export function typeByName(text: string, catalog: Catalog): number | null {
  const [, written = "", brackets = ""] = /^\s*(.*?)\s*((?:\[\d*\]\s*)*)$/s.exec(text) ?? [];
  const bare = written.replace(/\s*\(\s*\d+(?:\s*,\s*\d+)?\s*\)/, "").trim();
  const known = words[bare.toLowerCase().replace(/\s+/g, " ")];
  const [name, schema] = [...(splitName(bare) ?? [])].reverse();
  const type = known ?? (name === undefined ? null : typeIn(schema ?? null, name, catalog));
  if (type === null || brackets === "") return type;
  const { array } = catalog.types.fact(type);
  return array === 0 ? null : array;
}

/** Returns the number of a type by its name in the catalog; null where there is none. */
export function typeIn(schema: string | null, name: string, catalog: Catalog): number | null {
  for (const each of schema === null ? ["pg_catalog", "public"] : [schema]) {
    const namespace = catalog.schema(each);
    const fact = namespace === null ? null : catalog.types.named(namespace, name);
    if (fact) return fact.oid;
  }
  return null;
}
