import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import type { Alternative } from "../alternative.ts";

/** A question that asks for the same answers in another way. */
export interface Variant extends Pick<Alternative, "change" | "how" | "takes"> {
  readonly question: ResolvedQuery;
}
