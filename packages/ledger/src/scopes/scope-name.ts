import { canonicalJson } from "@lethe/core/canonical";

/** The name of what holds a cap: the account, or a part of it. */
export type ScopeName =
  | readonly ["account"]
  | readonly ["analyst", string]
  | readonly ["project", string]
  | readonly ["dataset", string]
  /** An analyst within a project: the analyst's name, then the project's. */
  | readonly ["member", string, string];

/** Returns the key of a scope: two names are one scope exactly where their keys are equal. */
export function scopeKey(name: ScopeName): string {
  return canonicalJson(name);
}

/** Returns the words for a scope in a sentence. */
export function scopeWords(name: ScopeName): string {
  switch (name[0]) {
    case "account":
      return "the account";
    case "analyst":
      return `analyst ${name[1]}`;
    case "project":
      return `project ${name[1]}`;
    case "dataset":
      return `data set ${name[1]}`;
    case "member":
      return `analyst ${name[1]} in project ${name[2]}`;
  }
}

const lengths: Readonly<Record<string, number>> = {
  account: 1,
  analyst: 2,
  project: 2,
  dataset: 2,
  member: 3,
};

/** Whether a value is the name of a scope. */
export function isScopeName(value: unknown): value is ScopeName {
  return (
    Array.isArray(value) &&
    value.every((part) => typeof part === "string" && part !== "") &&
    Object.hasOwn(lengths, value[0]) &&
    lengths[value[0]] === value.length
  );
}

/** The one who asks, for what, and of which data. */
export interface Asker {
  readonly principal: string;
  readonly project: string | null;
  /** The data sets that are read; sorted, each once. */
  readonly dataSets: readonly string[];
}

/** Returns the scopes below the account that cover a question: those that its asker may look into first. */
export function scopesOf({ principal, project, dataSets }: Asker): readonly ScopeName[] {
  return [
    ["analyst", principal],
    ...(project === null ? [] : [["member", principal, project] as const, ["project", project] as const]),
    ...dataSets.map((name) => ["dataset", name] as const),
  ];
}

/** Whether the spending of a scope is the principal's own: everything that was charged to it, that principal was told. */
export function isOwn(name: ScopeName, principal: string): boolean {
  return (name[0] === "analyst" || name[0] === "member") && name[1] === principal;
}
