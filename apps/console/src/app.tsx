import type { LetheClient, RequestLine, TableOffered } from "@lethe/client";
import { useEffect, useState } from "preact/hooks";
import { Ask } from "./ask.tsx";
import { Budget } from "./budget.tsx";
import { History } from "./history.tsx";
import type { Me, Session } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { Tables } from "./tables.tsx";

/** The whole page: who is signed in decides what it shows. */
export function App({
  lethe,
  session,
  ways,
}: {
  readonly lethe: LetheClient;
  readonly session: Session;
  /** The ways to sign in: "password", "provider". */
  readonly ways: readonly string[];
}) {
  const [me, setMe] = useState<Me | null | undefined>(undefined);
  const look = (): void => void session.me().then(setMe, () => setMe(null));
  useEffect(look, [session]);
  if (me === undefined) return <main aria-busy="true" />;
  return (
    <>
      <header>
        <h1>Lethe</h1>
        {me === null ? null : (
          <>
            <span class="who">
              {me.name} ({me.roles.join(", ")})
            </span>
            <button type="button" onClick={() => void session.end().then(look, look)}>
              Sign out
            </button>
          </>
        )}
      </header>
      {me === null ? (
        <SignIn session={session} ways={ways} onSignedIn={look} />
      ) : (
        <Workplace key={me.name} lethe={lethe} />
      )}
    </>
  );
}

function Workplace({ lethe }: { readonly lethe: LetheClient }) {
  const [sql, setSql] = useState("");
  const [asked, setAsked] = useState(0);
  const [tables, setTables] = useState<readonly TableOffered[]>([]);
  const [history, setHistory] = useState<readonly RequestLine[]>([]);
  useEffect(() => void lethe.tables().then(setTables, () => {}), [lethe]);
  useEffect(() => void newest(lethe).then(setHistory, () => {}), [lethe, asked]);
  return (
    <main>
      <Ask lethe={lethe} sql={sql} setSql={setSql} onAnswered={() => setAsked(asked + 1)} />
      <Budget lethe={lethe} asked={asked} />
      <History requests={history} onChosen={setSql} />
      <Tables tables={tables} onChosen={setSql} />
    </main>
  );
}

const mostShown = 20;

async function newest(lethe: LetheClient): Promise<readonly RequestLine[]> {
  const lines: RequestLine[] = [];
  for await (const line of lethe.requests()) {
    lines.push(line);
    if (lines.length === mostShown) break;
  }
  return lines;
}
