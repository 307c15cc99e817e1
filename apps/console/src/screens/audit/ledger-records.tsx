import { usePages } from "../../house/use-pages.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { AuditPage } from "./audit-page.tsx";
import type { ChainEntry } from "./follow-chain.ts";
import { HashWords } from "./hash-words.tsx";
import { SaveList } from "./save-list.tsx";

/** A record as the ledger keeps it. */
interface LedgerRecord extends ChainEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  /** Canonical JSON. */
  readonly payload: string;
}

/** The records of the ledger's chain, as they are kept. */
export function LedgerRecords() {
  const pages = usePages<LedgerRecord>("ledger");
  return (
    <AuditPage
      path="audit/ledger"
      lead="The records of the ledger's chain as they are kept, newest first. A saved file has all that is needed to check the chain."
    >
      <PagedTable
        of={pages}
        label="Records of the ledger"
        what="the records"
        keyOf={({ sequence }) => String(sequence)}
        empty="There is no record."
        columns={[
          { title: "Record", kind: "number", cell: ({ sequence }) => sequence },
          { title: "When", cell: ({ at }) => timeWords(new Date(at).toISOString()) },
          { title: "Kind", cell: ({ kind }) => <span class="badge">{visible(kind)}</span> },
          {
            title: "What it states",
            kind: "text",
            cell: ({ payload, sequence }) => (
              <details>
                <summary>
                  Show<span class="heard"> what record {sequence} states</span>
                </summary>
                <pre>{visible(indented(payload))}</pre>
              </details>
            ),
          },
          { title: "Hash", cell: ({ hash }) => <HashWords of={hash} /> },
        ]}
      />
      <SaveList of={pages} name="ledger" />
    </AuditPage>
  );
}

/** JSON in lines; what is none stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
