import type { Loss } from "@lethe/client";
import { usePages } from "../../house/use-pages.ts";
import { Field } from "../../parts/field.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { hrefOf } from "../../route/route.ts";
import { lossWords } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { AuditPage } from "./audit-page.tsx";
import { listedPath } from "./listed-path.ts";
import { LookFor } from "./look-for.tsx";
import { SaveList } from "./save-list.tsx";

/** What somebody asked and was charged for. */
interface AskedLine {
  readonly sequence: number;
  readonly at: string;
  readonly principal: string;
  readonly project: string | null;
  readonly requestId: string;
  readonly text: string;
  readonly price: Loss;
  readonly state: "reserved" | "settled" | "failed";
  readonly sharedBy: string | null;
}

const words = {
  settled: { word: "answered", badge: "good" },
  reserved: { word: "charged", badge: "warn" },
  failed: { word: "failed", badge: "bad" },
} as const;

/** Every question that was charged, by whomever it was asked. */
export function AskedLines({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const path = listedPath("charges", ["person", "word", "from", "to"], query);
  return (
    <AuditPage
      path="audit/asked"
      lead="Every question that was charged, with its price. Who asked again for nothing, and what was refused, stands in the audit log, without the text."
    >
      <LookFor key={path} path="audit/asked" query={query}>
        <Field label="Word in the question">
          {(input) => (
            <input
              {...input}
              name="word"
              maxLength={200}
              autocomplete="off"
              defaultValue={query.word ?? ""}
            />
          )}
        </Field>
      </LookFor>
      <Lines key={`lines ${path}`} path={path} />
    </AuditPage>
  );
}

function Lines({ path }: { readonly path: string }) {
  const pages = usePages<AskedLine>(path);
  return (
    <>
      <PagedTable
        of={pages}
        label="Questions"
        what="what was asked"
        keyOf={({ sequence }) => String(sequence)}
        empty={path === "charges" ? "Nothing was asked yet." : "Nothing that you look for was asked."}
        columns={[
          {
            title: "Question",
            kind: "text",
            cell: ({ text, state, requestId, principal, sharedBy }) => {
              const question = (
                <code>
                  <bdi>{visible(text)}</bdi>
                </code>
              );
              return (
                <>
                  {state === "settled" && sharedBy === null ? (
                    <a href={hrefOf(`release/${requestId}`, { of: principal })}>{question}</a>
                  ) : (
                    question
                  )}
                  {sharedBy === null ? null : (
                    <span class="quiet">
                      {" "}
                      (received from <bdi>{visible(sharedBy)}</bdi>)
                    </span>
                  )}
                </>
              );
            },
          },
          {
            title: "Who",
            cell: ({ principal, project }) => (
              <>
                <bdi>{visible(principal)}</bdi>
                {project === null ? null : (
                  <span class="quiet">
                    {" "}
                    in <bdi>{visible(project)}</bdi>
                  </span>
                )}
              </>
            ),
          },
          { title: "When", cell: ({ at }) => timeWords(at) },
          { title: "Price", kind: "number", cell: ({ price }) => lossWords(price) },
          {
            title: "State",
            cell: ({ state }) => <span class={`badge ${words[state].badge}`}>{words[state].word}</span>,
          },
          { title: "Record", kind: "number", cell: ({ sequence }) => sequence },
        ]}
      />
      <SaveList of={pages} name="asked" />
    </>
  );
}
