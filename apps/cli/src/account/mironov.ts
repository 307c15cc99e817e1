import {
  type Account,
  type AnyForm,
  accountWith,
  composeRenyi,
  epsilonFromRenyiTextbook,
  lightForms,
  proveLosses,
  type RenyiCarrierLoss,
} from "@lethe/core";

/** Rényi losses as the product folds them, read by the textbook's conversion in place of the tight one. */
const textbookRenyi = (form: AnyForm): AnyForm => ({
  ...form,
  carrier: {
    ...form.carrier,
    curve: (loss: RenyiCarrierLoss) => ({
      ...form.carrier.curve(loss),
      epsilon: (delta) => ({
        lower: 0,
        upper: epsilonFromRenyiTextbook(composeRenyi(loss.terms), delta),
        provenance: { lower: "trivial", upper: "rényi, Mironov 2017 Prop. 3" },
      }),
    }),
  },
});

const textbookAccount = accountWith(
  lightForms.map((form) => (form.carrier.id === "renyi" ? textbookRenyi(form) : form)),
  proveLosses,
);

/** ε at δ by Mironov 2017, Prop. 3, from the same Rényi curve; null where no theorem gives the event one. */
export function mironovEpsilon({ event, adjacency }: Account, delta: number): number | null {
  return textbookAccount(event, { adjacency }).by("renyi")?.epsilon(delta).upper ?? null;
}
