import { type CellAxis, cellAxis, type KeyValue } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { double } from "../../sql/literal.ts";
import { quoted } from "../../sql/quoted.ts";
import { type Attribute, type BinnedAttribute, valuesBeforeNull } from "../domain/attribute.ts";
import type { TableShape } from "../source/index.ts";
import type { SynthesisSpec } from "../spec/index.ts";

/**
 * Writes the question whose exact counts are a table of these attributes, a group a cell that is not empty. Its keys are categories, and the places of
 * bins, whose edges are public.
 * @example 'SELECT "sector" AS "key 0", CASE WHEN "age" IS NULL THEN 2 WHEN "age" < 5e+1 THEN 0 ELSE 1 END AS "key 1", COUNT(*) AS "n" …'
 */
export function tableQuestion(
  { source, where, domain }: SynthesisSpec,
  attributes: readonly number[],
): string {
  const keys = attributes.map((_, at) => quoted(`key ${at}`));
  const parts = attributes.map(
    (attribute, at) => `${keyText(elementAt(domain, attribute))} AS ${elementAt(keys, at)}`,
  );
  return [
    `SELECT ${parts.join(", ")}, COUNT(*) AS "n"`,
    `FROM ${quoted(source)}`,
    ...(where === null ? [] : [`WHERE (\n${where}\n)`]),
    `GROUP BY ${keys.join(", ")}`,
  ].join(" ");
}

/** Where the groups of the question's answer stand in a table of this shape. */
export function tableAxes(
  { domain }: Pick<SynthesisSpec, "domain">,
  { attributes, merged }: TableShape,
): readonly CellAxis[] {
  return attributes.map((attribute, at) =>
    cellAxis(keysOf(elementAt(domain, attribute)), elementAt(merged, at).places),
  );
}

function keyText(attribute: Attribute): string {
  return attribute.kind === "categories" ? quoted(attribute.name) : binText(attribute);
}

/** A number is in the bin of the last edge that it reaches: values are cut to their bounds before they are asked about. */
function binText(attribute: BinnedAttribute): string {
  const { name, edges, nullable } = attribute;
  const column = quoted(name);
  const last = valuesBeforeNull(attribute) - 1;
  const arms = edges.slice(1, -1).map((edge, bin) => `WHEN ${column} < ${double(edge)} THEN ${bin}`);
  // A bin of its own for NULL, which is counted also where nothing is cut.
  return `CASE WHEN ${column} IS NULL THEN ${nullable ? last + 1 : last} ${arms.join(" ")} ELSE ${last} END`;
}

function keysOf(attribute: Attribute): readonly KeyValue[] {
  if (attribute.kind === "bins") {
    const values = valuesBeforeNull(attribute) + (attribute.nullable ? 1 : 0);
    return Array.from({ length: values }, (_, code) => BigInt(code));
  }
  const keys = attribute.categories.map(
    (value): KeyValue => (Number.isInteger(value) ? BigInt(value) : value),
  );
  return attribute.nullable ? [...keys, null] : keys;
}
