import type { Policy } from "../../policy/policy.ts";

/** Where a policy's tables lie. */
export type Place = "files" | "postgres" | "trino";

/** Returns where a policy's tables lie. */
export function kindOfPlace({ database }: Policy): Place {
  return database?.kind ?? "files";
}
