import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Show } from "../../parts/loading.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { timeWords } from "../../words/time-words.ts";

interface Session {
  readonly id: string;
  readonly startedAt: string;
  readonly usedAt: string;
  readonly current: boolean;
}

/** The sessions of a person: signed-in browsers and programs, each of which can be ended. */
export function Sessions({ name }: { readonly name: string }) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const of = `of=${encodeURIComponent(name)}`;
  const sessions = useLoaded(
    (signal) =>
      service.call<{ readonly items: readonly Session[] }>("GET", `sessions?${of}`, undefined, signal),
    [service, of],
  );
  const end = (path: string, said: string): void =>
    void run(async () => {
      await service.call("DELETE", `${path}?${of}`);
      announce(said);
      sessions.again();
    });
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <ProblemPanel problem={problem} />
      <Show of={sessions} what="the sessions">
        {({ items }) => (
          <>
            <DataTable
              label="Sessions"
              rows={items}
              keyOf={({ id }) => id}
              empty="There is no session."
              columns={[
                { title: "Begun", cell: ({ startedAt }) => timeWords(startedAt) },
                { title: "Used last", cell: ({ usedAt }) => timeWords(usedAt) },
                { title: "Session", cell: ({ id, current }) => (current ? "this one" : <code>{id}</code>) },
                {
                  title: <span class="heard">End</span>,
                  cell: ({ id, current }) => (
                    <button
                      class="small"
                      type="button"
                      disabled={busy}
                      aria-label={current ? "End this session" : `End ${id}`}
                      onClick={() => end(`sessions/${encodeURIComponent(id)}`, "The session is ended")}
                    >
                      End
                    </button>
                  ),
                },
              ]}
            />
            {items.length > 0 ? (
              <button type="button" disabled={busy} onClick={() => end("sessions", "Every session is ended")}>
                End every session
              </button>
            ) : null}
          </>
        )}
      </Show>
    </section>
  );
}
