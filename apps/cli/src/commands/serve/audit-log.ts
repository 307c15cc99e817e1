import { plural } from "@lethe/query";
import { verifyAuditStore } from "@lethe/serve";
import { say } from "../../render/say.ts";
import { parseHead } from "../ledger/parse-head.ts";
import type { PeopleFlags } from "./people.ts";
import { openExistingPeople, readConfig } from "./service-files.ts";

/** lethe audit-log verify: checks the chain of who did what, from its first entry on. Errors: log.corrupt; people.unreadable. */
export async function verifyLog({ head, ...flags }: PeopleFlags & { readonly head?: string }): Promise<void> {
  const kept = head === undefined ? null : parseHead(head, "what lethe audit-log verify printed");
  const file = await openExistingPeople(readConfig(flags.config, !flags.named));
  try {
    const { sequence, hash } = await verifyAuditStore(file.audit, kept);
    if (sequence < 0) return say("The audit log is empty.");
    say(`${plural(sequence + 1, "fact")}: every hash holds`);
    say(`head ${sequence}:${hash}`);
  } finally {
    await file.close();
  }
}
