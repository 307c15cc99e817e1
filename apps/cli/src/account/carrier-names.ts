import type { CarrierId } from "@lethe/core";

/** The name that a person reads for each representation of a loss, in the order in which they are listed. */
export const carrierNames: Readonly<Record<CarrierId, string>> = {
  pld: "PLD",
  gaussian: "Gaussian DP",
  renyi: "Rényi",
  zcdp: "zCDP",
  approximate: "(ε, δ) composition",
  pure: "pure DP",
};

export const everyCarrier: readonly CarrierId[] = Object.keys(carrierNames) as CarrierId[];
