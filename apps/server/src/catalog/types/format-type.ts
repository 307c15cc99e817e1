import { oids } from "./oids.ts";
import { quoteName } from "./quote-name.ts";
import type { TypeTable } from "./type-table.ts";

/** The names of types by the SQL standard, as PostgreSQL writes them. */
const standard: ReadonlyMap<number, string> = new Map<number, string>([
  [oids.bit, "bit"],
  [oids.bool, "boolean"],
  [oids.bpchar, "character"],
  [oids.float4, "real"],
  [oids.float8, "double precision"],
  [oids.int2, "smallint"],
  [oids.int4, "integer"],
  [oids.int8, "bigint"],
  [oids.json, "json"],
  [oids.numeric, "numeric"],
  [oids.interval, "interval"],
  [oids.time, "time without time zone"],
  [oids.timetz, "time with time zone"],
  [oids.timestamp, "timestamp without time zone"],
  [oids.timestamptz, "timestamp with time zone"],
  [oids.varbit, "bit varying"],
  [oids.varchar, "character varying"],
]);

/** The schemas whose types are written without them. */
const visible: ReadonlySet<number> = new Set([11, 2_200]);

/** Returns the name of a type as format_type writes it. `typmod` is null or -1 where none is stated. */
export function formatType(
  oid: number,
  typmod: number | null,
  types: TypeTable,
  schemaName: (namespace: number) => string | null,
): string {
  if (oid === 0) return "-";
  if (!types.has(oid)) return "???";
  const fact = types.fact(oid);
  if (fact.element !== 0 && fact.length === -1 && types.fact(fact.element).array === oid)
    return `${formatType(fact.element, typmod, types, schemaName)}[]`;
  const stated = typmod !== null && typmod >= 0;
  const name = standard.get(oid);
  if (name !== undefined) return withTypmod(name, oid, stated ? typmod : null, typmod !== null);
  if (oid === oids.char) return '"char"';
  const written = quoteName(fact.name);
  const schema = visible.has(fact.namespace) ? "" : `${quoteName(schemaName(fact.namespace) ?? "")}.`;
  return schema + written;
}

function withTypmod(name: string, oid: number, typmod: number | null, isAsked: boolean): string {
  if (typmod === null)
    return oid === oids.bpchar && isAsked ? "bpchar" : oid === oids.bit && isAsked ? '"bit"' : name;
  const inner = (text: string): string => {
    const [first, ...rest] = name.split(" ");
    return /^time/.test(name) ? [`${first}(${text})`, ...rest].join(" ") : `${name}(${text})`;
  };
  switch (oid) {
    case oids.bpchar:
    case oids.varchar:
      return inner(String(typmod - 4));
    case oids.numeric: {
      const bits = typmod - 4;
      const scale = ((bits & 0x7ff) ^ 1_024) - 1_024;
      return inner(`${(bits >> 16) & 0xffff},${scale}`);
    }
    case oids.bit:
    case oids.varbit:
    case oids.time:
    case oids.timetz:
    case oids.timestamp:
    case oids.timestamptz:
      return inner(String(typmod));
    default:
      return name;
  }
}
