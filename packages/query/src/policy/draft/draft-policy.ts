import { LetheError } from "@lethe/core";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { isName, nameRule } from "../check-name.ts";
import { flow, scalar } from "../yaml-words.ts";
import { columnWords } from "./column-words.ts";
import { budgetLines, contributionLines, type DraftFrame, unitLines } from "./draft-frame.ts";
import type { DeclaredBounds } from "./draft-words.ts";

/** All a first policy is made of: the header of the file and the owner's words. Never a value of the data. */
export interface PolicyDraft extends DraftFrame {
  readonly table: string;
  readonly file: string;
  readonly header: readonly string[];
  /** "row", or the column that names the unit. */
  readonly unit: string;
  readonly bounds?: Readonly<Record<string, DeclaredBounds>>;
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  readonly types?: Readonly<Record<string, "number" | "integer" | "text" | "boolean">>;
  readonly expectedRows?: number | null;
  readonly relation?: string | null;
  readonly delimiter?: string;
  readonly defaults?: { readonly epsilon?: string; readonly delta?: string };
}

function columnLine(draft: PolicyDraft, column: string): string {
  const key = scalar(column);
  if (draft.unit !== "row" && column === draft.unit)
    return `${key}: { type: ${draft.types?.[column] ?? "text"} } # names the privacy unit`;
  const stated = <Value>(map: Readonly<Record<string, Value>> | undefined): Value | undefined =>
    map && Object.hasOwn(map, column) ? map[column] : undefined;
  const bounds = stated(draft.bounds);
  const categories = stated(draft.categories);
  const type =
    stated(draft.types) ?? bounds?.time ?? (bounds ? (bounds.integer ? "integer" : "number") : "text");
  if (!bounds && !categories && stated(draft.types) === undefined)
    return `${key}: { type: text } # not declared yet: add categories: [a, b], or type: number with bounds: [lowest, highest], or type: date with bounds: [2020-01-01, 2029-12-31]`;
  return `${key}: ${columnWords({ type, bounds, categories })}`;
}

function checkHeader(draft: PolicyDraft): void {
  const refuse = (message: string, fix: string): never => {
    throw new LetheError("policy.invalid", message, { fix });
  };
  const seen = new Set<string>();
  for (const [index, column] of draft.header.entries()) {
    if (!isName(column))
      refuse(`column ${index + 1} of the header has no usable name`, `rename it: a name is ${nameRule}`);
    if (seen.has(column.toLowerCase()))
      refuse(`the header names ${JSON.stringify(column)} twice, but for case`, "rename one of the two");
    seen.add(column.toLowerCase());
  }
  const named = [draft.bounds, draft.categories, draft.types].flatMap((map) => Object.keys(map ?? {}));
  if (draft.unit !== "row") named.push(draft.unit);
  for (const column of named)
    if (!draft.header.includes(column))
      refuse(`the header has no column ${JSON.stringify(column)}`, didYouMean(column, draft.header));
}

/**
 * The YAML of a first policy, with comments, for `lethe init`. A column that the words do not mention becomes a text
 * without categories. Bounds declare a number, or an integer where the words say so; a list of categories that holds
 * "other" sends every other value there, else such values become NULL.
 * Errors: policy.invalid for a header with unusable names or words about a column that is not there.
 */
export function draftPolicy(draft: PolicyDraft): string {
  checkHeader(draft);
  const perRow = draft.unit === "row";
  const lines = [
    "# What may be asked of these data, and at which price. Written from the header and your words; no value was read.",
    ...unitLines(draft),
    "tables:",
    `  ${scalar(draft.table)}:`,
    `    file: ${scalar(draft.file)}`,
    ...(draft.relation ? [`    relation: ${scalar(draft.relation)}`] : []),
    ...(draft.delimiter && draft.delimiter !== ","
      ? [`    csv: { delimiter: ${JSON.stringify(draft.delimiter)} }`]
      : []),
    `    unit: ${perRow ? "row # each row is one unit" : columnUnit(draft.unit)}`,
    ...(perRow ? [] : contributionLines(draft)),
    draft.expectedRows
      ? `    expected_rows: ${draft.expectedRows} # public and rough: for expected errors alone`
      : "    # expected_rows: 1000 # with a public, rough number of rows, explain shows expected errors",
    "    # Numbers outside their bounds are clamped; what is not a number, such a date or a category becomes the default, or NULL.",
    "    columns:",
    ...draft.header.map((column) => `      ${columnLine(draft, column)}`),
    ...budgetLines(draft),
    ...defaultsLine(draft.defaults ?? {}),
  ];
  return `${lines.join("\n")}\n`;
}

function columnUnit(column: string): string {
  return `${scalar(column)} # all rows that share its value are one unit`;
}

function defaultsLine(defaults: NonNullable<PolicyDraft["defaults"]>): string[] {
  if (defaults.epsilon === undefined && defaults.delta === undefined) return [];
  return [
    `defaults: ${flow([
      ["epsilon", defaults.epsilon],
      ["delta", defaults.delta],
    ])} # the price of a question that names none`,
  ];
}
