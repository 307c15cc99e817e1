import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreateLedgerOptions, createLedger } from "./create-ledger.ts";
import type { Ledger } from "./ledger.ts";
import { openLedger } from "./open-ledger.ts";

/** New ledgers that are alike to the last byte, key included, in a folder of their own. */
export interface AlikeLedgers {
  /** One that nobody has charged. */
  open(): Promise<Ledger>;
  /** The folder, with every ledger in it. */
  remove(): void;
}

/**
 * For runs that are compared, or thrown away: charges of one are not in another. Their folder is made `within` one that
 * exists. Errors: those of createLedger.
 * @example const ledgers = await alikeLedgers({ budget, policyHash, source: "people", clock });
 */
export async function alikeLedgers(
  options: Omit<CreateLedgerOptions, "headFile">,
  within: string = tmpdir(),
): Promise<AlikeLedgers> {
  const { clock } = options;
  const folder = mkdtempSync(join(within, "lethe-alike-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const pattern = join(folder, "pattern");
  try {
    const created = await createLedger(pattern, options);
    await created.close();
  } catch (error) {
    remove();
    throw error;
  }
  let copies = 0;
  return {
    async open() {
      copies += 1;
      const copy = join(folder, `${copies}`);
      cpSync(pattern, copy, { recursive: true });
      return openLedger(copy, { clock });
    },
    remove,
  };
}
