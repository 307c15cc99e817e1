import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { goTo } from "../../route/use-route.ts";

/** Takes the text of an offer, and shows what it would cost. Nothing is charged yet. */
export function ReceiveAnswer({ onClose }: { readonly onClose: () => void }) {
  const [offer, setOffer] = useState("");
  const look = (event: SubmitEvent): void => {
    event.preventDefault();
    goTo("history/offered", { offer: offer.trim() });
  };
  return (
    <Dialog title="Receive an answer" onClose={onClose}>
      <form onSubmit={look}>
        <Field
          label="The offer"
          hint="The text that a colleague gave you. Its price is shown before anything is charged."
        >
          {(input) => (
            <textarea
              {...input}
              rows={4}
              required
              maxLength={5000}
              spellcheck={false}
              value={offer}
              onInput={({ currentTarget }) => setOffer(currentTarget.value)}
            />
          )}
        </Field>
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" type="submit">
            See its price
          </button>
        </div>
      </form>
    </Dialog>
  );
}
