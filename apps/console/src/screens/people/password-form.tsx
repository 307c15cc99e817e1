import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { Field } from "../../parts/field.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { visible } from "../../words/visible.ts";
import { personPath } from "./person.ts";

interface PasswordFormProps {
  readonly name: string;
  readonly isOwn: boolean;
  readonly hasPassword: boolean;
}

/** Sets a password: one's own by the one so far, anybody's as an owner. It ends every session of the person, one's own too. */
export function PasswordForm({ name, isOwn, hasPassword }: PasswordFormProps) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [set, setSet] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form);
    void run(async () => {
      const current = String(given.get("current") ?? "");
      const body = { password: String(given.get("password")), ...(isOwn ? { current } : {}) };
      setSet(false);
      await service.call("PUT", `${personPath(name)}/password`, body);
      form.reset();
      setSet(true);
      announce("The password is set");
      if (isOwn) service.ended();
    });
  };
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      {isOwn && !hasPassword ? (
        <p>You have none, and sign in by another way. An owner can set a first one.</p>
      ) : (
        <form onSubmit={submit}>
          {isOwn ? (
            <Field label="Your password until now">
              {(input) => (
                <input {...input} name="current" type="password" autocomplete="current-password" required />
              )}
            </Field>
          ) : null}
          <Field
            label="New password"
            hint={`It ends every session of ${isOwn ? "yours: you sign in again" : visible(name)}.`}
          >
            {(input) => (
              <input {...input} name="password" type="password" autocomplete="new-password" required />
            )}
          </Field>
          <ProblemPanel problem={problem} />
          {set ? <p role="status">The password is set.</p> : null}
          <button type="submit" disabled={busy}>
            {busy ? "Setting …" : "Set the password"}
          </button>
        </form>
      )}
    </section>
  );
}
