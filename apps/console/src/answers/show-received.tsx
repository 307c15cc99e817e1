import { LetheProblem, type Loss } from "@lethe/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useHouse } from "../house/house.ts";
import { useAction } from "../house/use-action.ts";
import type { Loaded } from "../house/use-loaded.ts";
import { Show } from "../parts/loading.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { lossWords } from "../words/loss-words.ts";
import { PayDialog } from "./pay-dialog.tsx";

interface ShowReceivedProps<T> {
  /** An answer, asked for in a way that charges nothing. */
  readonly of: Loaded<T>;
  /** The offer that the address names; null where it names none. */
  readonly offer: string | null;
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows an answer. One that was offered to the visitor, and that they have not received, is shown with its price first: to open an address pays nothing. */
export function ShowReceived<T>({ of, offer, what, children }: ShowReceivedProps<T>) {
  const price = offer === null ? null : priceIn(of.problem);
  if (offer === null || price === null)
    return (
      <Show of={of} what={what}>
        {children}
      </Show>
    );
  return <Offered offer={offer} price={price} onReceived={of.again} />;
}

interface OfferedProps {
  readonly offer: string;
  readonly price: string;
  readonly onReceived: () => void;
}

function Offered({ offer, price, onReceived }: OfferedProps) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [asks, setAsks] = useState(false);
  const receive = (): void =>
    void run(async () => {
      await service.lethe.receive(offer);
      announce("The answer is received");
      onReceived();
    });
  return (
    <>
      <p class="panel">
        This answer was offered to you. To receive it costs <strong>{price}</strong> of what you may spend;
        the account has paid already.
      </p>
      <ProblemPanel problem={problem} />
      <button class="primary" type="button" disabled={busy} onClick={() => setAsks(true)}>
        Receive it for {price} …
      </button>
      {asks ? (
        <PayDialog
          price={price}
          onCancel={() => setAsks(false)}
          onPay={() => {
            setAsks(false);
            receive();
          }}
        />
      ) : null}
    </>
  );
}

/** The price that a refusal names of what was offered and not received; null for any other. */
function priceIn(problem: unknown): string | null {
  if (!(problem instanceof LetheProblem) || problem.code !== "query.option") return null;
  return lossWords(problem.fields as unknown as Loss) || null;
}
