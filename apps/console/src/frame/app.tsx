import { useEffect, useRef, useState } from "preact/hooks";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { replaceRoute } from "../route/use-route.ts";
import { dropDrafts, windowStore } from "../session/drafts.ts";
import type { Me } from "../session/me.ts";
import type { OwnService } from "../session/own-service.ts";
import type { Windows } from "../session/windows.ts";
import { SignIn, type WhySignIn } from "./sign-in.tsx";
import { Workplace } from "./workplace.tsx";

interface AppProps {
  readonly service: OwnService;
  readonly windows: Windows;
  /** The ways to sign in: "password", "provider". */
  readonly ways: readonly string[];
}

/**
 * The whole page: who is signed in decides what it shows. When a session ends by itself, the address and the drafts stay, so that one goes on there after a new sign-in. Who signs out leaves neither, in
 * no window. The windows of a browser share a cookie: each tells the others whom it shows, so that none goes on showing one person while it asks as another.
 */
export function App({ service, windows, ways }: AppProps) {
  const [me, setMe] = useState<Me | null | undefined>(undefined);
  const shown = useRef(me);
  shown.current = me;
  const [why, setWhy] = useState<WhySignIn>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const look = (): void => {
    setProblem(null);
    service.me().then((now) => {
      if (now === null && shown.current) setWhy("ended");
      setMe(now);
      windows.tell({ signedIn: now?.name ?? null });
    }, setProblem);
  };
  const leave = (because: WhySignIn): void => {
    dropDrafts(windowStore());
    replaceRoute("");
    setWhy(because);
    setMe(null);
  };
  useEffect(() => {
    service.onEnded(() => {
      setWhy("ended");
      setMe(null);
    });
    windows.hear((word) => {
      if (word !== "signed out") {
        if (word.signedIn !== (shown.current?.name ?? null)) look();
      } else if (shown.current) leave("signed out elsewhere");
    });
    // A browser may keep the page as it is, and show it again when its visitor has signed out long ago.
    const kept = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) setMe(undefined);
    };
    const again = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) look();
    };
    addEventListener("pagehide", kept);
    addEventListener("pageshow", again);
    look();
    return () => {
      removeEventListener("pagehide", kept);
      removeEventListener("pageshow", again);
    };
  }, [service, windows]);
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
        why={why}
        onSignedIn={() => {
          setWhy(null);
          look();
        }}
      />
    );
  const signOut = (): void => {
    service.end().then(() => {
      windows.tell("signed out");
      leave(null);
    }, setProblem);
  };
  return <Workplace key={me.name} service={service} me={me} onSignOut={signOut} />;
}
