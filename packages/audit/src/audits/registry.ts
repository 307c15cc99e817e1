import type { Audit } from "./audit.ts";
import { estimateAudit } from "./estimate-audit.ts";
import { impossibleAudit } from "./impossible-audit.ts";
import { oneRunAudit } from "./one-run-audit.ts";
import { replayAudit } from "./replay-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

/** Every audit, in the order they are run. A new one is a file and a line here. */
export const audits: readonly Audit[] = [
  verifyAudit,
  replayAudit,
  impossibleAudit,
  estimateAudit,
  oneRunAudit,
];
