import type { Stated } from "../../thread/works.ts";

/** A place in the schema of policies, as far as the form reads it (JSON Schema 2020-12). */
export interface SchemaNode {
  readonly type?: string;
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly items?: boolean | SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

/** What a map of the text holds. */
export type StatedMap = { readonly [key: string]: Stated };

export function isStatedMap(stated: Stated | undefined): stated is StatedMap {
  return typeof stated === "object" && stated !== null && !Array.isArray(stated);
}

/**
 * Returns the alternative of a place that is stated: of maps that a word tells apart, such as a column's type, the one with that word; where a value or a map may stand, the one that does. In it the
 * telling word has all its values.
 */
export function alternativeOf(node: SchemaNode, stated: Stated | undefined): SchemaNode {
  const { oneOf, anyOf } = node;
  if (oneOf) {
    const word = tellingWord(oneOf);
    const own = isStatedMap(stated) && word !== null ? stated[word] : null;
    const found =
      oneOf.find(({ properties }) => word !== null && properties?.[word]?.const === own) ?? oneOf[0];
    if (!found || word === null) return node;
    const values = oneOf.map(({ properties }) => String(properties?.[word]?.const));
    const description = found.properties?.[word]?.description;
    const choice = { type: "string", enum: values, ...(description ? { description } : {}) };
    return { ...found, ...describedBy(node), properties: { ...found.properties, [word]: choice } };
  }
  if (anyOf && isStatedMap(stated)) {
    const fits = anyOf.find(({ properties }) => Object.keys(stated).every((key) => properties?.[key]));
    if (fits) return { ...fits, ...describedBy(node) };
  }
  return node;
}

/** The word whose value tells maps apart; null where none does. */
function tellingWord(maps: readonly SchemaNode[]): string | null {
  const [first] = maps;
  const words = Object.keys(first?.properties ?? {});
  return (
    words.find((word) => maps.every(({ properties }) => properties?.[word]?.const !== undefined)) ?? null
  );
}

function describedBy({ description }: SchemaNode): Pick<SchemaNode, "description"> {
  return description === undefined ? {} : { description };
}

export type FieldKind =
  | "choice"
  | "truth"
  | "pair"
  | "list"
  | "text"
  | "number"
  | "group"
  | "map"
  | "fixed"
  | "written";

/** Returns by what kind of field a place is shown. What none fits is shown as it is written. */
export function kindOf(node: SchemaNode): FieldKind {
  if (node.properties) return "group";
  if (typeof node.additionalProperties === "object") return "map";
  if (node.const !== undefined) return "fixed";
  if (node.enum) return "choice";
  if (node.type === "boolean") return "truth";
  if (node.prefixItems) return "pair";
  if (node.type === "array") return isScalar(node.items) ? "list" : "written";
  if (node.type === "number" || node.type === "integer") return "number";
  if (node.type === "string") return "text";
  const [first, ...more] = node.anyOf ?? [];
  if (first && more.every(({ type }) => type !== "object")) return "number";
  return first === undefined ? "written" : first.type === "string" ? "text" : "number";
}

function isScalar(node: boolean | SchemaNode | undefined): boolean {
  return typeof node === "object" && ["string", "number", "integer"].includes(node.type ?? "");
}
