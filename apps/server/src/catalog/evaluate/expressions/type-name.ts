import type { TypeName } from "@pgsql/types";
import { typeIn } from "../../names/type-names.ts";
import { refused, unsupported } from "../../refuse.ts";
import { oids } from "../../types/oids.ts";
import type { Compiler } from "../compiler.ts";
import { integerOf, stringsOf } from "../nodes.ts";

/** Returns the number of a type that is written, and what it states beside its name. Errors: query.type, query.unsupported. */
export function writtenType(
  { names, arrayBounds, typmods, setof, location }: TypeName,
  { place: { catalog } }: Compiler,
): { readonly type: number; readonly typmod: number } {
  const [name = "", ...rest] = [...stringsOf(names)].reverse();
  const [schema = null] = rest;
  if (setof) return unsupported("SETOF", location);
  const found = typeIn(schema, name, catalog);
  if (found === null)
    return refused(
      "query.type",
      `type ${JSON.stringify(stringsOf(names).join("."))} does not exist`,
      location,
    );
  const type = arrayBounds && arrayBounds.length > 0 ? catalog.types.arrayOf(found) : found;
  return { type, typmod: typmodOf(found, (typmods ?? []).map(integerOf)) };
}

function typmodOf(type: number, stated: readonly (number | null)[]): number {
  const [first, second = 0] = stated;
  if (first === undefined || first === null) return -1;
  switch (type) {
    case oids.varchar:
    case oids.bpchar:
      return first + 4;
    case oids.numeric:
      return ((first << 16) | ((second ?? 0) & 0x7ff)) + 4;
    case oids.bit:
    case oids.varbit:
    case oids.time:
    case oids.timetz:
    case oids.timestamp:
    case oids.timestamptz:
      return first;
    default:
      return -1;
  }
}
