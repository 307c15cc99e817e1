import type { RequestLine } from "@lethe/client";
import { useState } from "preact/hooks";
import type { ScreenAddress } from "../../house/screen-address.ts";
import { usePages } from "../../house/use-pages.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { lossWords } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { EarlierAnswer } from "./earlier-answer.tsx";
import { ReceiveAnswer } from "./receive-answer.tsx";

/** The visitor's own questions, and the answers that they received, newest first; one of them, where the address names it. */
export default function HistoryScreen({ rest, query }: ScreenAddress) {
  if (rest !== "") return <EarlierAnswer requestId={rest} offer={query.offer ?? null} />;
  return <Lines />;
}

function Lines() {
  const pages = usePages<RequestLine>("releases");
  const [isReceiving, setIsReceiving] = useState(false);
  return (
    <Screen
      title="History"
      lead="What you asked and received. To see an answer again costs nothing."
      actions={
        <button type="button" onClick={() => setIsReceiving(true)}>
          Receive an answer …
        </button>
      }
    >
      <PagedTable
        of={pages}
        what="what you asked"
        label="What you asked"
        keyOf={({ sharedBy, requestId }) => `${sharedBy ?? ""} ${requestId}`}
        empty="You have asked nothing yet."
        columns={[
          {
            title: "Question",
            kind: "text",
            cell: (line) => {
              const question = (
                <code>
                  <bdi>{visible(line.text)}</bdi>
                </code>
              );
              return (
                <>
                  {line.state === "settled" ? <a href={answerHref(line)}>{question}</a> : question}
                  {line.sharedBy === null ? null : (
                    <span class="quiet">
                      {" "}
                      (received from <bdi>{visible(line.sharedBy)}</bdi>)
                    </span>
                  )}
                </>
              );
            },
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
      {isReceiving ? <ReceiveAnswer onClose={() => setIsReceiving(false)} /> : null}
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
