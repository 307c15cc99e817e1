import type { LetheClient, RequestLine } from "@lethe/client";
import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { lossWords } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";

/** The visitor's own questions, newest first. */
export default function HistoryScreen() {
  const { service } = useHouse();
  const lines = useLoaded(() => newest(service.lethe), [service]);
  return (
    <Screen title="History">
      <Show of={lines} what="what you asked">
        {(rows) => (
          <DataTable
            label="What you asked"
            rows={rows}
            keyOf={({ sharedBy, requestId }) => `${sharedBy ?? ""} ${requestId}`}
            empty="You have asked nothing yet."
            columns={[
              { title: "When", cell: ({ at }) => timeWords(at) },
              {
                title: "Question",
                kind: "text",
                cell: ({ text }) => <a href={hrefOf("ask", { sql: text })}>{text}</a>,
              },
              { title: "Price", kind: "number", cell: ({ price }) => lossWords(price) },
            ]}
          />
        )}
      </Show>
    </Screen>
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
