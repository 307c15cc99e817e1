import type { RepresentationId } from "@lethe/core/accounting";

/** The name that a person reads for each representation of a loss, in the order in which they are listed. */
export const representationNames: Readonly<Record<RepresentationId, string>> = {
  pld: "PLD",
  gaussian: "Gaussian DP",
  renyi: "Rényi",
  zcdp: "zCDP",
  approximate: "(ε, δ) composition",
  pure: "pure DP",
};

export const everyRepresentation: readonly RepresentationId[] = Object.keys(
  representationNames,
) as RepresentationId[];
