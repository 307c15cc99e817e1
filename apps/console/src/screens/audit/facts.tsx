import type { AuditEntry } from "@lethe/serve/audit-chain";
import { usePages } from "../../house/use-pages.ts";
import { Field } from "../../parts/field.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { AuditPage } from "./audit-page.tsx";
import { factWords, kindWords } from "./fact-words.ts";
import { HashWords } from "./hash-words.tsx";
import { listedPath } from "./listed-path.ts";
import { LookFor } from "./look-for.tsx";
import { SaveList } from "./save-list.tsx";

/** Who did what. */
export function Facts({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const path = listedPath("audit-log", ["person", "kind", "from", "to"], query);
  return (
    <AuditPage
      path="audit/log"
      lead="Who did what, newest first. It has no text of a question, no row and no number of an answer; that you look at it is written there too."
    >
      <LookFor key={path} path="audit/log" query={query}>
        <Field label="Action">
          {(input) => (
            <select {...input} name="kind" defaultValue={query.kind ?? ""}>
              <option value="">any</option>
              {Object.entries(kindWords).map(([kind, words]) => (
                <option key={kind} value={kind} selected={kind === query.kind}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
      </LookFor>
      <Entries key={`entries ${path}`} path={path} />
    </AuditPage>
  );
}

function Entries({ path }: { readonly path: string }) {
  const pages = usePages<AuditEntry>(path);
  return (
    <>
      <PagedTable
        of={pages}
        label="Entries of the audit log"
        what="the audit log"
        keyOf={({ sequence }) => String(sequence)}
        empty={path === "audit-log" ? "There is no entry." : "Nothing that you look for was done."}
        columns={[
          { title: "Entry", kind: "number", cell: ({ sequence }) => sequence },
          {
            title: "What",
            kind: "text",
            cell: ({ fact }) => <bdi>{visible(factWords(fact))}</bdi>,
          },
          {
            title: "Who",
            cell: ({ actor: { name, by, address } }) => (
              <>
                {name === null ? <span class="quiet">nobody known</span> : <bdi>{visible(name)}</bdi>}
                <div class="hint">
                  {[by === null ? "" : `by ${by}`, address === null ? "" : `from ${visible(address)}`]
                    .filter(Boolean)
                    .join(" ")}
                </div>
              </>
            ),
          },
          { title: "When", cell: ({ at }) => timeWords(new Date(at).toISOString()) },
          { title: "Hash", cell: ({ hash }) => <HashWords of={hash} /> },
        ]}
      />
      <SaveList of={pages} name="audit-log" />
    </>
  );
}
