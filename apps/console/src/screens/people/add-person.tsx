import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { goTo } from "../../route/use-route.ts";
import type { Role } from "../../session/me.ts";
import { namesIn, type Person } from "./person.ts";
import { RoleChoice } from "./role-choice.tsx";

/** Lets a person in. The password is optional: a token, or a provider of identities, is another way. */
export function AddPerson({ onClose }: { readonly onClose: () => void }) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [roles, setRoles] = useState<readonly Role[]>(["analyst"]);
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(form.get(name) ?? "");
    void run(async () => {
      const password = text("password");
      const person = await service.call<Person>("POST", "people", {
        name: text("name").trim(),
        roles,
        projects: namesIn(text("projects")),
        ...(password === "" ? {} : { password }),
      });
      announce(`${person.name} is let in`);
      goTo(`people/${person.name}`);
    });
  };
  return (
    <Dialog title="Let a person in" onClose={onClose}>
      <form onSubmit={add}>
        <Field label="Name" hint="The ledger charges this name. It cannot be changed later.">
          {(input) => <input {...input} name="name" autocomplete="off" required />}
        </Field>
        <RoleChoice legend="Roles" chosen={roles} onChange={setRoles} />
        <Field
          label="Projects"
          hint="Names, apart by commas. They are a note: the policy says who may ask in a project."
        >
          {(input) => <input {...input} name="projects" autocomplete="off" />}
        </Field>
        <Field
          label="First password"
          hint="At least 15 characters, unless the service says otherwise. Leave it empty for tokens alone."
        >
          {(input) => <input {...input} name="password" type="password" autocomplete="new-password" />}
        </Field>
        <ProblemPanel problem={problem} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" type="submit" disabled={busy || roles.length === 0}>
            {busy ? "Adding …" : "Let in"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
