import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import type { Role } from "../../session/me.ts";
import type { Person } from "./person.ts";
import { RoleChoice } from "./role-choice.tsx";

interface MakeTokenProps {
  readonly person: Person;
  /** The path of the person's tokens below /v1. */
  readonly path: string;
  readonly onClose: () => void;
}

const dayMs = 86_400_000;

/** Makes a token. Its text is shown once, in this dialog, and is kept nowhere: it goes with the dialog. */
export function MakeToken({ person, path, onClose }: MakeTokenProps) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [roles, setRoles] = useState<readonly Role[]>(person.roles.slice(0, 1));
  const [token, setToken] = useState<string | null>(null);
  const make = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(form.get(name) ?? "").trim();
    void run(async () => {
      const maxEpsilon = text("maxEpsilon");
      const made = await service.call<{ readonly token: string }>("POST", path, {
        name: text("name"),
        roles,
        expiresAt: new Date(Date.now() + Number(text("days")) * dayMs).toISOString(),
        ...(maxEpsilon === "" ? {} : { maxEpsilon }),
      });
      setToken(made.token);
      announce("The token is made");
    });
  };
  if (token !== null)
    return (
      <Dialog title="The token" onClose={onClose}>
        <p>
          Copy it now. It is shown once, and nobody can show it again. Whoever has it asks in this person's
          name.
        </p>
        <p class="panel">
          <code>{token}</code>
        </p>
        <div class="row end">
          <CopyButton text={token} label="Copy the token" />
          <button class="primary" type="button" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Make a token" onClose={onClose}>
      <form onSubmit={make}>
        <Field label="Name" hint="What it is for, such as the name of the program.">
          {(input) => <input {...input} name="name" autocomplete="off" required />}
        </Field>
        <RoleChoice legend="Roles" of={person.roles} chosen={roles} onChange={setRoles} />
        <Field
          label="Most ε a question may cost"
          hint="Left empty, it is what the policy allows. Give programs a small one."
        >
          {(input) => (
            <input {...input} class="short" name="maxEpsilon" inputMode="decimal" autocomplete="off" />
          )}
        </Field>
        <Field label="Days until it ends" hint="From 1 to 365.">
          {(input) => (
            <input {...input} class="short" name="days" type="number" min="1" max="365" value="90" required />
          )}
        </Field>
        <ProblemPanel problem={problem} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" type="submit" disabled={busy || roles.length === 0}>
            {busy ? "Making …" : "Make the token"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
