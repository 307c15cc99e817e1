import type { Role } from "../../session/me.ts";

/** A person who is let in, as the service tells of them. */
export interface Person {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly disabled: boolean;
  readonly projects: readonly string[];
  readonly identities: readonly { readonly issuer: string; readonly subject: string }[];
  readonly hasPassword: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What each role may do, in a line. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: "answers for the data: the policy, the people, the budget",
  analyst: "asks questions, and sees their own answers and budget",
  auditor: "reads what was promised, spent and done, and asks nothing",
  operator: "keeps the service running, and sees no answer",
};

export const everyRole: readonly Role[] = ["owner", "analyst", "auditor", "operator"];

/** The path of a person's routes below /v1. */
export function personPath(name: string): string {
  return `people/${encodeURIComponent(name)}`;
}

/** The names in a text, apart by commas. */
export function namesIn(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
