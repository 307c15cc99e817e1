import type { Account } from "@lethe/core";
import {
  type AnyRepresentation,
  accountWith,
  composeRenyi,
  epsilonFromRenyiTextbook,
  lightRepresentations,
  type RenyiUpperLoss,
} from "@lethe/core/accounting";
import { proveLosses } from "@lethe/core/mechanisms";

/** Rényi losses as the product folds them, read by the textbook's conversion in place of the tight one. */
const textbookRenyi = (representation: AnyRepresentation): AnyRepresentation => ({
  ...representation,
  algebra: {
    ...representation.algebra,
    curve: (loss: RenyiUpperLoss) => ({
      ...representation.algebra.curve(loss),
      epsilon: (delta) => ({
        lower: 0,
        upper: epsilonFromRenyiTextbook(composeRenyi(loss.terms), delta),
        provenance: { lower: "trivial", upper: "rényi, Mironov 2017 Prop. 3" },
      }),
    }),
  },
});

const textbookAccount = accountWith(
  lightRepresentations.map((representation) =>
    representation.algebra.id === "renyi" ? textbookRenyi(representation) : representation,
  ),
  proveLosses,
);

/** ε at δ by Mironov 2017, Prop. 3, from the same Rényi curve; null where no theorem gives the event one. */
export function mironovEpsilon({ event, adjacency }: Account, delta: number): number | null {
  return textbookAccount(event, { adjacency }).by("renyi")?.epsilon(delta).upper ?? null;
}
