import { oids } from "../types/oids.ts";
import { ArrayValue, RowValue, type Value } from "../types/values.ts";
import type { Call, ScalarFunctions } from "./call.ts";

const field = (row: Value | undefined, name: string): Value =>
  row instanceof RowValue ? (row.items[row.names.indexOf(name)] ?? null) : null;

const texts: ReadonlySet<number> = new Set<number>([oids.bpchar, oids.varchar]);
const bits: ReadonlySet<number> = new Set<number>([oids.bit, oids.varbit]);
const precisions: Readonly<Record<number, number>> = {
  [oids.int2]: 16,
  [oids.int4]: 32,
  [oids.int8]: 64,
  [oids.float4]: 24,
  [oids.float8]: 53,
};
const whole: ReadonlySet<number> = new Set<number>([oids.int2, oids.int4, oids.int8]);
const times: ReadonlySet<number> = new Set<number>([
  oids.time,
  oids.timetz,
  oids.timestamp,
  oids.timestamptz,
]);

function charMaxLength(type: Value | undefined, typmod: Value | undefined): number | null {
  if (typmod === -1 || typmod === null) return null;
  if (texts.has(Number(type))) return Number(typmod) - 4;
  return bits.has(Number(type)) ? Number(typmod) : null;
}

function places(values: readonly Value[], { run }: Call): Value {
  const [index, column] = values;
  const relation = run.catalog.relation("pg_catalog", "pg_index");
  const row = relation?.index(0, run.session).get(Number(index))?.[0];
  const at = relation?.columns.findIndex(({ name }) => name === "indkey") ?? -1;
  const keys = row?.[at];
  if (!(keys instanceof ArrayValue)) return null;
  const place = keys.items.findIndex((key) => Number(key) === Number(column));
  return place < 0 ? null : place + 1;
}

/** The functions of information_schema, by which its views are written. */
export const standardFunctions: ScalarFunctions = {
  _pg_truetypid: ([attribute, type]) =>
    field(type, "typtype") === "d" ? field(type, "typbasetype") : field(attribute, "atttypid"),
  _pg_truetypmod: ([attribute, type]) =>
    field(type, "typtype") === "d" ? field(type, "typtypmod") : field(attribute, "atttypmod"),
  _pg_char_max_length: ([type, typmod]) => charMaxLength(type, typmod),
  _pg_char_octet_length: ([type, typmod]) => {
    if (![oids.text, oids.bpchar, oids.varchar].includes(Number(type) as never)) return null;
    if (typmod === -1) return 2 ** 30;
    return 4 * (charMaxLength(type, typmod) ?? 0);
  },
  _pg_numeric_precision: ([type, typmod]) => {
    if (Number(type) === oids.numeric) return typmod === -1 ? null : ((Number(typmod) - 4) >> 16) & 0xffff;
    return precisions[Number(type)] ?? null;
  },
  _pg_numeric_precision_radix: ([type]) =>
    Number(type) === oids.numeric ? 10 : precisions[Number(type)] === undefined ? null : 2,
  _pg_numeric_scale: ([type, typmod]) => {
    if (whole.has(Number(type))) return 0;
    if (Number(type) !== oids.numeric || typmod === -1) return null;
    return (Number(typmod) - 4) & 0x7ff;
  },
  _pg_datetime_precision: ([type, typmod]) => {
    if (Number(type) === oids.date) return 0;
    if (times.has(Number(type))) return Number(typmod) < 0 ? 6 : Number(typmod);
    return Number(type) === oids.interval
      ? Number(typmod) < 0 || (Number(typmod) & 0xffff) === 0xffff
        ? 6
        : Number(typmod) & 0xffff
      : null;
  },
  _pg_interval_type: () => null,
  _pg_index_position: places,
};
