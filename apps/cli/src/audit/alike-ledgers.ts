import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLedger, type Ledger, openLedger } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";

/** Ledgers that are alike to the last byte, key included: new ones of the policy's budget, in a folder that goes with them. */
export interface AlikeLedgers {
  open(): Promise<Ledger>;
  remove(): void;
}

export async function alikeLedgers(policy: Policy, clock: () => number): Promise<AlikeLedgers> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-audit-"));
  const pattern = join(folder, "pattern");
  const created = await createLedger(pattern, {
    budget: policy.budget,
    policyHash: unitHash(policy),
    source: "audited",
    clock,
  });
  await created.close();
  let copies = 0;
  return {
    async open() {
      copies += 1;
      const copy = join(folder, `${copies}`);
      cpSync(pattern, copy, { recursive: true });
      return openLedger(copy, { clock });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
