import type { RequestLine } from "@lethe/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import type { ScreenAddress } from "../../house/screen-address.ts";
import { useAction } from "../../house/use-action.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Loading } from "../../parts/loading.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { lossWords } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { EarlierAnswer } from "./earlier-answer.tsx";

interface Page {
  readonly items: readonly RequestLine[];
  readonly before: string | null;
}

/** The visitor's own questions, and the answers that they received, newest first; one of them, where the address names it. */
export default function HistoryScreen({ rest, query }: ScreenAddress) {
  if (rest !== "") return <EarlierAnswer requestId={rest} offer={query.offer ?? null} />;
  return <Lines />;
}

function Lines() {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [page, setPage] = useState<Page | null>(null);
  const begun = useRef(false);
  const more = (): void =>
    void run(async () => {
      const before = page?.before ? `&before=${encodeURIComponent(page.before)}` : "";
      const next = await service.call<Page>("GET", `releases?limit=25${before}`);
      setPage({ items: [...(page?.items ?? []), ...next.items], before: next.before });
      if (page !== null) announce(`${next.items.length} more`);
    });
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    more();
  }, []);
  return (
    <Screen title="History" lead="What you asked and received. To see an answer again costs nothing.">
      <ProblemPanel problem={problem} />
      {page === null ? (
        problem === null ? (
          <Loading what="what you asked" />
        ) : null
      ) : (
        <DataTable
          label="What you asked"
          rows={page.items}
          keyOf={({ sharedBy, requestId }) => `${sharedBy ?? ""} ${requestId}`}
          empty="You have asked nothing yet."
          columns={[
            {
              title: "Question",
              kind: "text",
              cell: (line) => (
                <>
                  {line.state === "settled" ? (
                    <a href={answerHref(line)}>
                      <code>{line.text}</code>
                    </a>
                  ) : (
                    <code>{line.text}</code>
                  )}
                  {line.sharedBy === null ? null : (
                    <span class="quiet"> (received from {line.sharedBy})</span>
                  )}
                </>
              ),
            },
            { title: "When", cell: ({ at }) => timeWords(at) },
            { title: "Price", kind: "number", cell: ({ price }) => lossWords(price) },
            {
              title: "State",
              cell: ({ state }) => <span class={`badge ${badges[state]}`}>{words[state]}</span>,
            },
            {
              title: <span class="heard">Again</span>,
              cell: ({ text }) => <a href={hrefOf("ask", { sql: text })}>Edit</a>,
            },
          ]}
        />
      )}
      {page?.before ? (
        <button type="button" disabled={busy} onClick={more}>
          Show earlier ones
        </button>
      ) : null}
    </Screen>
  );
}

/** The address of an answer that is there. */
function answerHref({ requestId, offer }: RequestLine): string {
  return hrefOf(`history/${requestId}`, offer === null ? {} : { offer });
}

const words = {
  settled: "answered",
  "in-flight": "under way",
  charged: "charged",
  failed: "failed",
} as const;
const badges = { settled: "good", "in-flight": "", charged: "warn", failed: "bad" } as const;
