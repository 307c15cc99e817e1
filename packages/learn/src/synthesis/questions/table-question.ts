import { type CellAxis, cellAxis, type KeyValue } from "@lethe/core/mechanisms";
import { elementAt, intAt } from "@lethe/core/numeric";
import { double } from "../../sql/literal.ts";
import { quoted } from "../../sql/quoted.ts";
import { type Attribute, type BinnedAttribute, valuesBeforeNull } from "../domain/attribute.ts";
import type { Domain } from "../domain/index.ts";
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

/** Returns the two attributes whose table has the longest question, in order; of one attribute that one. */
export function longestTable(domain: Domain): readonly number[] {
  const lengths = domain.map((attribute) => keyText(attribute).length);
  return [...domain.keys()]
    .sort((a, b) => elementAt(lengths, b) - elementAt(lengths, a))
    .slice(0, 2)
    .sort((a, b) => a - b);
}

/** Where the groups of the question's answer stand in a table of this shape. */
export function tableAxes(
  { domain }: Pick<SynthesisSpec, "domain">,
  { attributes, merged }: TableShape,
): readonly CellAxis[] {
  return attributes.map((attribute, at) => {
    const { places } = elementAt(merged, at);
    const keys = keysOf(elementAt(domain, attribute));
    return cellAxis(
      keys.map(([key]) => key),
      keys.map(([, code]) => intAt(places, code)),
    );
  });
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

/** The keys of a database, each with its code. A whole number is one of two: a column of integers gives the one, a column of doubles the other. */
function keysOf(attribute: Attribute): readonly (readonly [KeyValue, number])[] {
  const known = valuesBeforeNull(attribute);
  const missing: readonly (readonly [KeyValue, number])[] = attribute.nullable ? [[null, known]] : [];
  if (attribute.kind === "bins") {
    const values = known + missing.length;
    return Array.from({ length: values }, (_, code) => [BigInt(code), code]);
  }
  const keys = attribute.categories.flatMap((value, code): readonly (readonly [KeyValue, number])[] =>
    typeof value === "number" && Number.isInteger(value)
      ? [
          [BigInt(value), code],
          [value, code],
        ]
      : [[value, code]],
  );
  return [...keys, ...missing];
}
