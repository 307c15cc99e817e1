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

/** Who is signed in: null where nobody is, undefined while that is not known; and why one must sign in again. */
interface Shown {
  readonly me: Me | null | undefined;
  readonly why: WhySignIn;
}

/**
 * The whole page: who is signed in decides what it shows. When a session ends by itself, the address and the drafts stay, so that one goes on there after a new sign-in. Who signs out leaves neither, in
 * no window. The windows of a browser share a cookie: each tells the others whom it shows, so that none goes on showing one person while it asks as another.
 */
export function App({ service, windows, ways }: AppProps) {
  const [{ me, why }, show] = useState<Shown>({ me: undefined, why: null });
  // What is to be shown, also before it is drawn: two words that come at once each meet what the first one left.
  const shown = useRef<Shown>({ me, why });
  const turnTo = (next: Shown): void => {
    shown.current = next;
    show(next);
  };
  const [problem, setProblem] = useState<unknown>(null);
  const look = (): void => {
    setProblem(null);
    service.me().then((now) => {
      const before = shown.current;
      turnTo({ me: now, why: now === null ? (before.me ? "ended" : before.why) : null });
      windows.tell({ signedIn: now?.name ?? null });
    }, setProblem);
  };
  const leave = (because: WhySignIn): void => {
    dropDrafts(windowStore());
    replaceRoute("");
    turnTo({ me: null, why: because });
  };
  useEffect(() => {
    service.onEnded(() => {
      if (shown.current.me) turnTo({ me: null, why: "ended" });
    });
    windows.hear((word) => {
      const { me, why } = shown.current;
      if (word !== "signed out") {
        if (word.signedIn !== (me?.name ?? null)) look();
        // This window may have seen the session's end before it hears that it was a sign-out.
      } else if (me || why === "ended") leave("signed out elsewhere");
    });
    // A browser may keep the page as it is, and show it again when its visitor has signed out long ago.
    const kept = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) turnTo({ me: undefined, why: shown.current.why });
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
  if (me === null) return <SignIn service={service} ways={ways} why={why} onSignedIn={look} />;
  const signOut = (): void => {
    service.end().then(() => {
      windows.tell("signed out");
      leave(null);
    }, setProblem);
  };
  return <Workplace key={me.name} service={service} me={me} onSignOut={signOut} />;
}
