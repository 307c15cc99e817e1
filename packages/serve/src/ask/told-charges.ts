import type { Reservation } from "@lethe/ledger";
import type { ToldCharge, Waiting } from "./asker.ts";

type Listener = NonNullable<Waiting["charged"]>;

/** The charges of one journey, told to all who wait for it: to those who join later, those that were made before. */
export class ToldCharges {
  readonly #first: Listener | undefined;
  readonly #joined: Listener[] = [];
  readonly #charges: ToldCharge[] = [];

  constructor(first: Listener | undefined) {
    this.#first = first;
  }

  /** Tells of a charge, and waits until everybody has taken note of it. Errors: theirs. */
  async tell({ charge, resumed }: Reservation & { readonly kind: "charged" }): Promise<void> {
    const { requestId, sequence } = charge;
    const told = { requestId, sequence, how: resumed ? "resumed" : "charged" } as const;
    this.#charges.push(told);
    await Promise.all([
      this.#first?.(told),
      ...this.#joined.map((listener) => listener({ ...told, how: "shared" })),
    ]);
  }

  /** Takes somebody in who asks the same. Errors: those of the listener. */
  async join(listener: Listener): Promise<void> {
    const before = [...this.#charges];
    this.#joined.push(listener);
    for (const told of before) await listener({ ...told, how: "shared" });
  }
}
