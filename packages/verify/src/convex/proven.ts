import type { Report } from "./convex.ts";
import { covers } from "./rounding.ts";

/** What is amiss where a report claims a smaller excess than its steps and its noise prove, or over another risk. */
export function provenFindings(
  { bound }: Pick<Report, "bound">,
  risk: "empirical" | "population",
  proven: number,
): readonly string[] {
  return bound.risk === risk && covers(bound.proven, proven)
    ? []
    : ["the excess that is claimed is smaller than what is proven"];
}
