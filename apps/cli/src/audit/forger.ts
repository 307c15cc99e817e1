import { randomUUID } from "node:crypto";
import type { Account, OpenedForger, World } from "@lethe/audit";
import { secureEntropy } from "@lethe/core";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { one } from "@lethe/core/numeric";
import { answer } from "@lethe/gateway";
import { verifyRelease } from "@lethe/verify";
import { auditedLedgers, clock } from "./audited-ledgers.ts";
import { openWorld } from "./invented-world.ts";

/** Lethe over invented people, and the key of its ledger to sign whatever is made of its releases. */
export async function openForger(world: World, account: Account): Promise<OpenedForger> {
  const { folder, policy, policyText, engine } = await openWorld(world, account);
  const ledgers = await auditedLedgers(policy);
  const ledger = await ledgers.open();
  const entropy = secureEntropy();
  return {
    release: (text) =>
      answer(
        {
          text,
          principal: "owner",
          requestId: randomUUID(),
          options: { epsilon: one, delta: null, confidence: 0.95, acceptUninformative: true },
        },
        { policy, engine, ledger, entropy, clock },
      ),
    async signed(release) {
      const { columns, rows, groupings, missing, notes } = release;
      const answered = { columns, rows, ...(groupings ? { groupings } : {}), missing, notes };
      const certificate = { ...release.certificate, rowsHash: sha256(canonicalJson(answered)) };
      return { ...release, certificate, signature: await ledger.sign(canonicalJson(certificate)) };
    },
    async failed(release) {
      const options = { policyText, publicKeyPem: ledger.publicKey };
      const { checks } = await verifyRelease(JSON.stringify(release), options);
      return checks.filter(({ outcome }) => outcome !== "passed");
    },
    async close() {
      await ledger.close();
      await engine.close();
      folder.remove();
      ledgers.remove();
    },
  };
}
