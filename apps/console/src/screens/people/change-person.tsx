import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Field } from "../../parts/field.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import type { Role } from "../../session/me.ts";
import { visible } from "../../words/visible.ts";
import { namesIn, type Person, personPath } from "./person.ts";
import { RoleChoice } from "./role-choice.tsx";

interface ChangePersonProps {
  readonly person: Person;
  readonly onChanged: () => void;
}

/** Changes a person's roles and projects, and keeps them out or lets them in again. A change of roles ends their sessions. */
export function ChangePerson({ person, onChanged }: ChangePersonProps) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [roles, setRoles] = useState<readonly Role[]>(person.roles);
  const [projects, setProjects] = useState(person.projects.join(", "));
  const [asks, setAsks] = useState(false);
  const change = (changes: object, said: string): void =>
    void run(async () => {
      await service.call("PATCH", personPath(person.name), changes);
      announce(said);
      onChanged();
    });
  const sameRoles = roles.join() === person.roles.join();
  const changed = {
    ...(sameRoles ? {} : { roles }),
    ...(projects === person.projects.join(", ") ? {} : { projects: namesIn(projects) }),
  };
  return (
    <details class="panel">
      <summary>Change</summary>
      <RoleChoice legend="Roles" chosen={roles} onChange={setRoles} />
      <Field
        label="Projects"
        hint="Names, apart by commas. They are a note: the policy says who may ask in a project."
      >
        {(input) => (
          <input
            {...input}
            autocomplete="off"
            value={projects}
            onInput={({ currentTarget }) => setProjects(currentTarget.value)}
          />
        )}
      </Field>
      {sameRoles ? null : <p class="hint">A change of roles ends every session of {visible(person.name)}.</p>}
      <ProblemPanel problem={problem} />
      <p class="row">
        <button
          class="primary"
          type="button"
          disabled={busy || roles.length === 0 || Object.keys(changed).length === 0}
          onClick={() => change(changed, "The person is changed")}
        >
          Save
        </button>
        {person.disabled ? (
          <button type="button" disabled={busy} onClick={() => change({ disabled: false }, "Let in again")}>
            Let in again
          </button>
        ) : (
          <button class="danger" type="button" disabled={busy} onClick={() => setAsks(true)}>
            Keep out …
          </button>
        )}
      </p>
      {asks ? (
        <Confirm
          title={`Keep ${visible(person.name)} out?`}
          action="Keep out"
          danger
          onCancel={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            change({ disabled: true }, "Kept out");
          }}
        >
          <p>Every session and every token of this person stops working at once. They can be let in again.</p>
        </Confirm>
      ) : null}
    </details>
  );
}
