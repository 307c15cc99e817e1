import { useEffect } from "preact/hooks";
import { useAction } from "../house/use-action.ts";
import { Field } from "../parts/field.tsx";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import type { OwnService } from "../session/own-service.ts";

/** Why somebody who was signed in must sign in again; null where nobody was, or they signed out here. */
export type WhySignIn = "ended" | "signed out elsewhere" | null;

const words: Readonly<Record<NonNullable<WhySignIn>, string>> = {
  ended: "Your session has ended. Sign in again to go on where you were.",
  "signed out elsewhere": "You signed out in another window of this browser.",
};

interface SignInProps {
  readonly service: OwnService;
  readonly ways: readonly string[];
  readonly why: WhySignIn;
  readonly onSignedIn: () => void;
}

/** The ways to sign in: a form, and a link to the provider of identities, which sends the browser back signed in. */
export function SignIn({ service, ways, why, onSignedIn }: SignInProps) {
  const { busy, problem, run } = useAction();
  useEffect(() => {
    document.title = "Sign in · Lethe";
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void run(async () => {
      await service.begin(String(form.get("name")), String(form.get("password")));
      onSignedIn();
    });
  };
  return (
    <main class="door">
      <h1>Lethe</h1>
      <p class="lead">Remember the crowd, forget the person.</p>
      {why === null ? null : (
        <p class="panel" role="status">
          {words[why]}
        </p>
      )}
      {ways.includes("password") ? (
        <form onSubmit={submit}>
          <Field label="Name">
            {(input) => <input {...input} name="name" autocomplete="username" required />}
          </Field>
          <Field label="Password">
            {(input) => (
              <input {...input} name="password" type="password" autocomplete="current-password" required />
            )}
          </Field>
          <button class="primary wide" type="submit" disabled={busy}>
            {busy ? "Signing in …" : "Sign in"}
          </button>
        </form>
      ) : null}
      {ways.includes("provider") ? (
        <a class="button wide" href="/v1/sign-in/oidc">
          Sign in with your organization
        </a>
      ) : null}
      <ProblemPanel problem={problem} />
    </main>
  );
}
