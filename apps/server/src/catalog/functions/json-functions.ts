import type { Run } from "../evaluate/frame.ts";
import { oids } from "../types/oids.ts";
import { ArrayValue, RowValue, type Value } from "../types/values.ts";
import { writeText } from "../types/write-text.ts";
import type { Call, ScalarFunction, ScalarFunctions } from "./call.ts";

const numbers: ReadonlySet<number> = new Set([
  oids.int2,
  oids.int4,
  oids.int8,
  oids.float4,
  oids.float8,
  oids.numeric,
]);

/** Writes a value as to_json does. */
export function jsonText(value: Value, type: number, run: Run): string {
  if (value === null) return "null";
  if (type === oids.json || type === oids.jsonb) return String(value);
  if (typeof value === "boolean") return String(value);
  const { types } = run.catalog;
  if (value instanceof ArrayValue) {
    const element = types.elementOf(types.baseOf(type));
    return `[${value.items.map((item) => jsonText(item, element, run)).join(",")}]`;
  }
  if (value instanceof RowValue) {
    const fields = value.items.map(
      (item, at) =>
        `${JSON.stringify(value.names[at] ?? `f${at + 1}`)}:${jsonText(item, value.types[at] ?? oids.text, run)}`,
    );
    return `{${fields.join(",")}}`;
  }
  const text = writeText(value, type, run);
  // Oids and their kind are written as texts, as PostgreSQL writes them.
  return numbers.has(types.baseOf(type)) && /^-?\d/.test(text) ? text : JSON.stringify(text);
}

function counted(text: string, { run }: Call): string {
  run.budget.step(1 + (text.length >> 4));
  run.budget.hold(text.length >> 4);
  return text;
}

const build =
  (colon: string, comma: string): ScalarFunction =>
  (values, call) => {
    const fields: string[] = [];
    for (let at = 0; at < values.length; at += 2) {
      const key = values[at] ?? null;
      const name = key === null ? "" : writeText(key, call.types[at] ?? oids.text, call.run);
      fields.push(
        `${JSON.stringify(name)}${colon}${jsonText(values[at + 1] ?? null, call.types[at + 1] ?? oids.text, call.run)}`,
      );
    }
    return counted(`{${fields.join(comma)}}`, call);
  };

const list: ScalarFunction = (values, call) =>
  counted(
    `[${values.map((value, at) => jsonText(value, call.types[at] ?? oids.text, call.run)).join(", ")}]`,
    call,
  );

const one: ScalarFunction = ([value], call) =>
  counted(jsonText(value ?? null, call.types[0] ?? oids.text, call.run), call);

/** Functions that write JSON. */
export const jsonFunctions: ScalarFunctions = {
  json_build_object: build(" : ", ", "),
  jsonb_build_object: build(": ", ", "),
  json_build_array: list,
  jsonb_build_array: list,
  to_json: one,
  to_jsonb: one,
  row_to_json: one,
  array_to_json: one,
};
