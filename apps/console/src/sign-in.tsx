import { useState } from "preact/hooks";
import { ProblemPanel } from "./problem-panel.tsx";
import type { Session } from "./session.ts";

/** The ways to sign in: a form, and a link to the provider of identities, which sends the browser back signed in. */
export function SignIn({
  session,
  ways,
  onSignedIn,
}: {
  readonly session: Session;
  readonly ways: readonly string[];
  readonly onSignedIn: () => void;
}) {
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem(null);
    try {
      await session.begin(String(form.get("name")), String(form.get("password")));
      onSignedIn();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main>
      <h2>Sign in</h2>
      {ways.includes("password") ? (
        <form onSubmit={submit}>
          <label for="name">Name</label>
          <input id="name" name="name" autocomplete="username" required />
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required />
          <div class="row">
            <button class="primary" type="submit" disabled={busy}>
              Sign in
            </button>
          </div>
        </form>
      ) : null}
      {ways.includes("provider") ? (
        <p>
          <a class="button" href="/v1/sign-in/oidc">
            Sign in with your organization
          </a>
        </p>
      ) : null}
      <ProblemPanel problem={problem} />
    </main>
  );
}
