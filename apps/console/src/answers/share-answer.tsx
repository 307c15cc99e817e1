import type { Offer } from "@lethe/client";
import { useState } from "preact/hooks";
import { useHouse } from "../house/house.ts";
import { useAction } from "../house/use-action.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { timeWords } from "../words/time-words.ts";
import { visible } from "../words/visible.ts";

/** Offers an answer to a colleague: a text that only they can use, and that charges their own caps what the answer cost. */
export function ShareAnswer({ requestId }: { readonly requestId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button class="small" type="button" onClick={() => setOpen(true)}>
        Share …
      </button>
      {open ? <ShareDialog requestId={requestId} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ShareDialog({ requestId, onClose }: { readonly requestId: string; readonly onClose: () => void }) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [to, setTo] = useState("");
  const [made, setMade] = useState<(Offer & { readonly to: string }) | null>(null);
  const offer = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      setMade({ ...(await service.lethe.offer(requestId, to.trim())), to: to.trim() });
      announce("The offer is made");
    });
  };
  return (
    <Dialog title="Share this answer" onClose={onClose}>
      {made === null ? (
        <form onSubmit={offer}>
          <p>
            Your colleague receives the very same answer. Their caps are charged what it cost, once; the
            account has paid already.
          </p>
          <Field label="Name of the colleague">
            {(input) => (
              <input
                {...input}
                value={to}
                required
                onInput={({ currentTarget }) => setTo(currentTarget.value)}
              />
            )}
          </Field>
          <ProblemPanel problem={problem} />
          <div class="row end">
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <button class="primary" type="submit" disabled={busy}>
              Make the offer
            </button>
          </div>
        </form>
      ) : (
        <>
          <p>
            Give this text to <bdi>{visible(made.to)}</bdi>. Nobody else can use it, and it holds until{" "}
            {timeWords(made.until)}.
          </p>
          <textarea readOnly aria-label="The offer" rows={4} value={made.offer} />
          <div class="row end">
            <CopyButton text={made.offer} label="Copy the offer" />
            <button class="primary" type="button" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
