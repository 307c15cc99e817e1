import { useEffect, useState } from "preact/hooks";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import type { Me } from "../session/me.ts";
import type { OwnService } from "../session/own-service.ts";
import { SignIn } from "./sign-in.tsx";
import { Workplace } from "./workplace.tsx";

interface AppProps {
  readonly service: OwnService;
  /** The ways to sign in: "password", "provider". */
  readonly ways: readonly string[];
}

/** The whole page: who is signed in decides what it shows. When a session ends, the address stays, so that one goes on there after a new sign-in. */
export function App({ service, ways }: AppProps) {
  const [me, setMe] = useState<Me | null | undefined>(undefined);
  const [ended, setEnded] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const look = (): void => {
    setProblem(null);
    service.me().then(setMe, setProblem);
  };
  useEffect(() => {
    service.onEnded(() => {
      setEnded(true);
      setMe(null);
    });
    look();
  }, [service]);
  if (problem !== null)
    return (
      <main class="door">
        <h1>Lethe</h1>
        <ProblemPanel problem={problem} />
        <button type="button" onClick={look}>
          Try again
        </button>
      </main>
    );
  if (me === undefined) return <main class="door" aria-busy="true" />;
  if (me === null)
    return (
      <SignIn
        service={service}
        ways={ways}
        ended={ended}
        onSignedIn={() => {
          setEnded(false);
          look();
        }}
      />
    );
  const signOut = (): void => {
    const left = (): void => {
      setEnded(false);
      setMe(null);
    };
    service.end().then(left, setProblem);
  };
  return <Workplace key={me.name} service={service} me={me} onSignOut={signOut} />;
}
