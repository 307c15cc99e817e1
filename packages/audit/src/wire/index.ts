import type { AuditRow } from "../audits/audit-row.ts";
import { namesAtPostgres } from "./names-at-postgres.ts";
import { namesAtSignIn } from "./names-at-sign-in.ts";
import { othersObjects } from "./others-objects.ts";
import { spendingAttacks } from "./spending.ts";
import { strangeFrames } from "./strange-frames.ts";
import { otherSites, strangeRequests } from "./strange-requests.ts";
import type { Wire } from "./wire.ts";

export type {
  PostgresPort,
  ScramChallenge,
  Wire,
  WireAnalyst,
  WireOutcome,
  WireReply,
  WireRequest,
} from "./wire.ts";

/** Attacks on a running service by those whom it knows, over its own protocol. Whoever runs it wires the network. */
export const wireAudit = {
  id: "wire",
  title: "attacks on a running service over the wire, by analysts whom it knows",
  /** Every attack in order. Errors: those of the network. */
  async run(wire: Wire): Promise<readonly AuditRow[]> {
    // Times are taken while nothing else runs.
    const names = [await namesAtSignIn(wire), await namesAtPostgres(wire)];
    const spent = await spendingAttacks(wire);
    const rows = [
      ...spent,
      await othersObjects(wire),
      ...names,
      await otherSites(wire),
      ...(await Promise.all([strangeRequests(wire), strangeFrames(wire)])),
    ];
    return rows.filter((row) => row !== null);
  },
} as const;
