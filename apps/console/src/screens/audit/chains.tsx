import { AuditPage } from "./audit-page.tsx";
import { ChainPanel } from "./chain-panel.tsx";

/** The two chains of hashes, with their heads, and a check of each in this browser. */
export function Chains() {
  return (
    <AuditPage
      path="audit"
      lead="Each entry of a chain covers the one before it by its hash, so that none can be changed, left out or put in between unseen. This browser follows the chains by itself, from the first entry to the last."
    >
      <ChainPanel
        id="ledger"
        title="The ledger"
        what="What was granted and charged."
        path="ledger"
        work="followLedger"
        command="lethe ledger verify"
        open="The sums and caps in it are not checked here; lethe ledger verify checks them where the ledger lies."
      />
      <ChainPanel
        id="log"
        title="The audit log"
        what="Who did what: signed in, asked, looked at what is others', changed people or the policy."
        path="audit-log"
        work="followAuditLog"
        command="lethe audit-log verify"
        open={null}
      />
    </AuditPage>
  );
}
