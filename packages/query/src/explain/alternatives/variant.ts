import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import type { Saving } from "../saving.ts";

/** A question that asks for the same answers in another way. */
export interface Variant extends Pick<Saving, "change" | "how" | "takes"> {
  readonly question: ResolvedQuery;
}
