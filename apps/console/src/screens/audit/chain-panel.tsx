import { useEffect, useRef, useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { patiently } from "../../house/patiently.ts";
import { useAction } from "../../house/use-action.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import type { Page } from "../../house/use-pages.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Field } from "../../parts/field.tsx";
import { Show } from "../../parts/loading.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { askThread } from "../../thread/ask-thread.ts";
import type { Head } from "../../thread/works.ts";
import { ChainVerdict } from "./chain-verdict.tsx";
import { type ChainEntry, type Followed, followChain } from "./follow-chain.ts";
import { keptHead } from "./kept-head.ts";

interface ChainPanelProps {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  /** The list of the service that tells the chain. */
  readonly path: string;
  readonly work: "followLedger" | "followAuditLog";
  /** The command that prints the chain's head where the chain lies. */
  readonly command: string;
  /** What the check leaves open; null where it is nothing of its own. */
  readonly open: string | null;
}

/** The entries that are followed at once. */
const atOnce = 200;

/** A chain's head, and a check of all of it. */
export function ChainPanel({ id, title, what, path, work, command, open }: ChainPanelProps) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [kept, setKept] = useState("");
  const [followed, setFollowed] = useState<{ readonly found: Followed; readonly kept: Head | null } | null>(
    null,
  );
  const [passed, setPassed] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => {
    const { current } = stop;
    return () => current.abort();
  }, []);
  const newest = useLoaded(
    (signal) => service.call<Page<ChainEntry>>("GET", `${path}?limit=1`, undefined, signal),
    [service, path],
  );
  const head = keptHead(kept);
  const isWrong = kept.trim() !== "" && head === null;
  const follow = (): void =>
    void run(async () => {
      const { signal } = stop.current;
      setFollowed(null);
      setPassed(0);
      const page = (before: string | null): Promise<Page<ChainEntry>> => {
        const place = before === null ? "" : `&before=${encodeURIComponent(before)}`;
        return patiently(signal, () =>
          service.call("GET", `${path}?limit=${atOnce}${place}`, undefined, signal),
        );
      };
      const found = await followChain({ page, follow: (given) => askThread(work, given) }, head, setPassed);
      setFollowed({ found, kept: head });
      announce(
        found.broken === null && found.hasKept !== false ? `${title} holds` : `${title} does not hold`,
      );
    });
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{what}</p>
      <Show of={newest} what="the head">
        {({ items: [last] }) =>
          last === undefined ? (
            <p class="quiet">It has no entry.</p>
          ) : (
            <dl>
              <dt>Entries</dt>
              <dd>{(last.sequence + 1).toLocaleString("en")}</dd>
              <dt>Head</dt>
              <dd class="row head">
                <code>
                  {last.sequence}:{last.hash}
                </code>
                <CopyButton text={`${last.sequence}:${last.hash}`} label="Copy the head" />
              </dd>
            </dl>
          )
        }
      </Show>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) follow();
        }}
      >
        <Field
          label="A head that you kept"
          hint={
            <>
              Left empty, nobody can see whether the end was cut off, or the whole chain was written anew.
              Keep the head of today elsewhere; <code>{command}</code> prints it too.
            </>
          }
          error={isWrong ? "A head is a number, a colon and 64 hexadecimal digits." : null}
        >
          {(input) => (
            <input
              {...input}
              class="hash"
              autocomplete="off"
              spellcheck={false}
              value={kept}
              onInput={({ currentTarget }) => setKept(currentTarget.value)}
            />
          )}
        </Field>
        <p class="row">
          <button class="primary" type="submit" disabled={busy || isWrong}>
            {busy ? "Following …" : "Check in this browser"}
          </button>
          {busy && passed > 0 ? (
            <span class="quiet">{passed.toLocaleString("en")} entries so far</span>
          ) : null}
        </p>
      </form>
      <ProblemPanel problem={problem} />
      {followed ? <ChainVerdict {...followed} open={open} /> : null}
    </section>
  );
}
