import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLedger, type Ledger, openLedger } from "@lethe/ledger";
import { type Policy, unitHash } from "@lethe/query";

/** The clock of every replayed house stands still. */
export const clock = (): number => 1_718_100_000_000;

/** Opens ledgers that are alike to the last byte, key included: new ones of the policy's budget, copied from one. */
export async function newLedgers(policy: Policy): Promise<{ open(): Promise<Ledger>; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-replay-"));
  const pattern = join(folder, "pattern");
  const created = await createLedger(pattern, {
    budget: policy.budget,
    policyHash: unitHash(policy),
    source: "people",
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
