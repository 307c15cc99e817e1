import type { ScreenAddress } from "../../house/screen-address.ts";
import { AskedLines } from "./asked-lines.tsx";
import { AttackReport } from "./attack-report.tsx";
import { Chains } from "./chains.tsx";
import { Facts } from "./facts.tsx";
import { LedgerRecords } from "./ledger-records.tsx";

/** What was asked, done and charged, and whether the chains hold that say so. */
export default function AuditScreen({ rest, query }: ScreenAddress) {
  switch (rest) {
    case "asked":
      return <AskedLines query={query} />;
    case "log":
      return <Facts query={query} />;
    case "ledger":
      return <LedgerRecords />;
    case "attacks":
      return <AttackReport />;
    default:
      return <Chains />;
  }
}
