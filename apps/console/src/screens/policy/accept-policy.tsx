import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import type { OwnService } from "../../session/own-service.ts";
import { visible } from "../../words/visible.ts";
import { effectWords, meaningOf } from "./meaning-of.ts";
import type { PolicyCheck, ServedPolicy } from "./policy-parts.ts";

interface AcceptPolicyProps {
  readonly text: string;
  /** What the service said of this very text. */
  readonly check: PolicyCheck;
  readonly onServed: () => void;
}

/** The service asks for a reason, which it keeps where the account changes. */
const unrecorded = "the account stays as it is";

/** Puts a draft in force, after its owner has seen what goes on record. */
export function AcceptPolicy({ text, check, onServed }: AcceptPolicyProps) {
  const { service, announce } = useHouse();
  const { busy, problem, run, forget } = useAction();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [back, setBack] = useState<"waited for" | "not seen" | null>(null);
  const isOnRecord = check.budget.length > 0;
  const accept = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await service.call("PUT", "policy", {
        text,
        agreed: check.budget,
        reason: isOnRecord ? reason.trim() : unrecorded,
      });
      setOpen(false);
      setBack("waited for");
      announce("The policy is accepted; the service starts again");
      if (!(await isServed(service, text))) return setBack("not seen");
      announce("The policy is in force");
      onServed();
    });
  };
  if (back !== null)
    return (
      <p class="panel caution" role="status">
        {back === "waited for"
          ? "The policy is accepted. The service starts again under it …"
          : "The policy is accepted, and the service was not seen under it within a minute. Load the page again, or ask who runs the service."}
      </p>
    );
  const close = (): void => {
    setOpen(false);
    forget();
  };
  return (
    <>
      <button class="primary" type="button" onClick={() => setOpen(true)}>
        Accept …
      </button>
      {open ? (
        <Dialog title="Put this policy in force?" onClose={close}>
          <form onSubmit={accept}>
            <h3>On record in the ledger</h3>
            {!isOnRecord ? (
              <p>
                Nothing: the account stays as it is. The audit log notes who put the policy in force, and
                when.
              </p>
            ) : (
              <ul>
                {check.budget.map((line) => (
                  <li key={line}>
                    <bdi>{visible(line)}</bdi>
                  </li>
                ))}
              </ul>
            )}
            <h3>In the policy</h3>
            <ul>
              {check.differs.map((part) => (
                <li key={part.path}>
                  <bdi>
                    <code>{visible(part.path)}</code>
                  </bdi>
                  : {effectWords[meaningOf(part).effect]}
                </li>
              ))}
            </ul>
            {isOnRecord ? (
              <p>
                <strong>The record cannot be taken back.</strong> A later one can change the account again,
                and both stay for everybody who reads the ledger.
              </p>
            ) : null}
            <p>The service starts again under the policy. Until then no question is charged.</p>
            {isOnRecord ? (
              <Field label="Reason" hint="It stays in the ledger for ever. Name no person of the data.">
                {(input) => (
                  <input
                    {...input}
                    required
                    maxLength={500}
                    value={reason}
                    onInput={({ currentTarget }) => setReason(currentTarget.value)}
                  />
                )}
              </Field>
            ) : null}
            <ProblemPanel problem={problem} />
            <div class="row end">
              <button type="button" onClick={close}>
                Cancel
              </button>
              <button class="danger" type="submit" disabled={busy}>
                Put in force
              </button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}

/** Waits until the service answers under a policy, for a minute at most. What it refuses while it starts is passed over. */
async function isServed(service: OwnService, text: string): Promise<boolean> {
  for (let turn = 0; turn < 60; turn += 1) {
    const now = await service.call<ServedPolicy>("GET", "policy").catch(() => null);
    if (now?.text === text) return true;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return false;
}
