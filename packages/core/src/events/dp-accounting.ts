import { invalidParameter } from "../errors/lethe-error.ts";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import type { Fields } from "./dp-accounting-fields.ts";
import { type Reader, readers } from "./dp-accounting-readers.ts";
import type { Event } from "./event.ts";
import { eventFromJson, maxEventDepth, maxEventNodes } from "./event-json.ts";

/** The fields of one record, however it was written: an object with names, or the plain list that json.dumps makes of a tuple. */
function fieldsOf(json: unknown): { readonly name: string; readonly fields: Fields } {
  const record: Fields | null = typeof json === "object" && json !== null ? (json as Fields) : null;
  const name = String(Array.isArray(json) ? json[1] : record?.class_name);
  if (record === null || !Object.hasOwn(readers, name)) {
    throw invalidParameter("class_name", name, `one of ${Object.keys(readers).join(", ")}`);
  }
  const known = (readers[name] as Reader).fields;
  if (Array.isArray(json)) {
    if (json.length > known.length + 2)
      throw invalidParameter(name, `${json.length} entries`, `made of ${known.join(", ")}`);
    return { name, fields: Object.fromEntries(known.map((field, i) => [field, json[i + 2]])) };
  }
  const unknown = Object.keys(record).find(
    (field) => field !== "module_name" && field !== "class_name" && !known.includes(field),
  );
  if (unknown !== undefined) throw invalidParameter(name, unknown, `made of ${known.join(", ")} alone`);
  return { name, fields: record };
}

/**
 * Reads an event of Google's dp_accounting 0.6 as `to_named_tuple` writes it, serialized with names (`_asdict`) or as the bare
 * lists that `json.dumps` makes. Its noise multipliers are over the norm of one record's value, so under replace-one a sum
 * moves by two of them. What has no sound reading is refused: an answer without privacy, samples with replacement.
 * Errors: parameter.invalid for an unknown class, a missing, unknown or broken field; account.unprovable.
 * @example eventFromDpAccounting({ class_name: "GaussianDpEvent", noise_multiplier: 1.1 })
 */
export function eventFromDpAccounting(json: unknown, adjacency: Adjacency = "add-or-remove-one"): Event {
  let nodes = 0;
  const read = (part: unknown, within: Adjacency, depth: number): unknown => {
    nodes += 1;
    if (depth > maxEventDepth) throw invalidParameter("event depth", depth, `at most ${maxEventDepth}`);
    if (nodes > maxEventNodes) throw invalidParameter("event size", nodes, `at most ${maxEventNodes} nodes`);
    const { name, fields } = fieldsOf(part);
    return (readers[name] as Reader).read(fields, {
      adjacency: within,
      child: (each, below) => read(each, below, depth + 1),
    });
  };
  return eventFromJson(read(json, adjacency, 1));
}
