import { invalidParameter } from "@lethe/core";
import type { Release } from "@lethe/gateway";
import type { ShareRequest } from "@lethe/ledger";
import { accountPolicy } from "../../account-policy.ts";
import { renderLoss } from "../../render/loss.ts";
import { say } from "../../render/say.ts";
import { refuseTarget, writeNewFile } from "../new-file.ts";
import { withLedger } from "./own-ledger.ts";

interface ShareFlags {
  readonly policy: string;
  readonly headFile?: string;
  readonly format: "table" | "json";
  readonly from: string;
  readonly to: string;
  readonly project?: string;
  readonly out?: string;
}

/** Runs lethe budget share: an answer of one analyst becomes another's too, at the receiver's own expense. The account has paid. */
export async function shareAnswer(requestId: string, flags: ShareFlags): Promise<void> {
  const { from, to, project, out, format } = flags;
  if (out !== undefined) refuseTarget(out, "the release");
  if (from === to) throw invalidParameter("the receiver", to, "another analyst than who asked");
  await withLedger(flags, async ({ ledger, policy }) => {
    await ledger.requirePolicy(accountPolicy(policy));
    const request: ShareRequest = { from, to, requestId, ...(project === undefined ? {} : { project }) };
    const before = (await ledger.report()).head.sequence;
    const text = await ledger.share(request);
    const isNew = (await ledger.report()).head.sequence > before;
    // A file that cannot be written loses nothing: sharing again costs nothing.
    if (out !== undefined) writeNewFile(out, `${text}\n`, "the release");
    if (format === "json") return say(text);
    const { certificate } = JSON.parse(text) as Release;
    const price = renderLoss(certificate.charge);
    say(
      isNew
        ? `${to} has the answer that ${from} paid for: ${price} is charged to the caps of ${to}, and to the account no more.`
        : `${to} has had this answer before; nothing was charged.`,
    );
  });
}
