import { LetheError } from "@lethe/core";
import { isName, nameRule } from "./check-name.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { DeclaredBounds } from "./draft-words.ts";
import type { Adjacency } from "./policy.ts";

/** All a first policy is made of: the header of the file and the owner's words. Never a value of the data. */
export interface PolicyDraft {
  readonly table: string;
  readonly file: string;
  readonly header: readonly string[];
  /** "row", or the column that names the unit. */
  readonly unit: string;
  /** What a unit is called; "person" unless stated. */
  readonly unitName?: string;
  readonly adjacency?: Adjacency;
  readonly bounds?: Readonly<Record<string, DeclaredBounds>>;
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  readonly types?: Readonly<Record<string, "number" | "integer" | "text" | "boolean">>;
  readonly expectedRows?: number | null;
  readonly maxGroups?: number;
  readonly maxRowsPerGroup?: number;
  readonly relation?: string | null;
  readonly delimiter?: string;
  /** Texts, as the owner wrote them: "0.5", "1e-6". */
  readonly budget?: {
    readonly measure: "pure" | "approximate" | "zcdp";
    readonly epsilon?: string;
    readonly delta?: string;
    readonly rho?: string;
    readonly analysts?: Readonly<Record<string, string>>;
  };
  readonly defaults?: { readonly epsilon?: string; readonly delta?: string };
}

/** A YAML scalar: bare where it cannot be read as anything but this text, else in double quotes. */
function scalar(text: string): string {
  const bare = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return bare ? text : JSON.stringify(text);
}

function flow(entries: readonly (readonly [string, string | undefined])[]): string {
  const stated = entries.filter(([, value]) => value !== undefined);
  return `{ ${stated.map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}

function boundsOf({ lo, hi, time }: DeclaredBounds): string {
  const written = (bound: string): string => (time === "timestamp" ? JSON.stringify(bound) : bound);
  return `[${written(lo)}, ${written(hi)}]`;
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
  const whole = type === "integer";
  return `${key}: ${flow([
    ["type", type],
    ["bounds", bounds && boundsOf(bounds)],
    [
      "categories",
      categories && `[${categories.map((value) => (whole ? value : scalar(value))).join(", ")}]`,
    ],
    ["default", categories?.includes("other") && !whole ? "other" : undefined],
  ])}`;
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
  const budget = draft.budget ?? { measure: "approximate", epsilon: "5", delta: "1e-6" };
  const analysts = Object.entries(budget.analysts ?? {}).map(([name, cap]) => [scalar(name), cap] as const);
  const perRow = draft.unit === "row";
  const lines = [
    "# What may be asked of these data, and at which price. Written from the header and your words; no value was read.",
    "version: 1",
    `privacy_unit: ${flow([
      ["name", scalar(draft.unitName ?? "person")],
      ["adjacency", draft.adjacency ?? "add-or-remove-one"],
    ])} # or replace-one: then only the number of units is public`,
    "tables:",
    `  ${scalar(draft.table)}:`,
    `    file: ${scalar(draft.file)}`,
    ...(draft.relation ? [`    relation: ${scalar(draft.relation)}`] : []),
    ...(draft.delimiter && draft.delimiter !== ","
      ? [`    csv: { delimiter: ${JSON.stringify(draft.delimiter)} }`]
      : []),
    `    unit: ${perRow ? "row # each row is one unit" : columnUnit(draft.unit)}`,
    ...(perRow
      ? []
      : [
          `    max_groups_contributed: ${draft.maxGroups ?? 1} # groups of one answer that a unit can be in; further ones are dropped`,
          `    max_rows_contributed_per_group: ${draft.maxRowsPerGroup ?? 1} # rows a unit can bring to a group`,
        ]),
    draft.expectedRows
      ? `    expected_rows: ${draft.expectedRows} # public and rough: for expected errors alone`
      : "    # expected_rows: 1000 # a public, rough number lets explain show expected errors",
    "    # Numbers outside their bounds are clamped; what is no number, no such date, or no category, becomes the default, or NULL.",
    "    columns:",
    ...draft.header.map((column) => `      ${columnLine(draft, column)}`),
    "# Spent by every question and never refilled. pure: epsilon. approximate: epsilon, delta. zcdp: rho, or epsilon and delta.",
    `budget: ${flow([
      ["measure", budget.measure],
      ["epsilon", budget.epsilon],
      ["rho", budget.rho],
      ["delta", budget.delta],
      ["analysts", analysts.length > 0 ? flow(analysts) : undefined],
    ])}`,
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
