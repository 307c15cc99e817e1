import { existsSync } from "node:fs";
import {
  type AskedOptions,
  type FreeAnswers,
  freeAnswers as freeAnswersOf,
  type TableVersion,
} from "@lethe/gateway";
import { openLedger } from "@lethe/ledger";
import type { Policy } from "@lethe/query";
import { openImports } from "../copies/open-imports.ts";
import type { Workspace } from "../workspace.ts";
import { declaredVersions } from "./declared-versions.ts";

export type { EarlierAnswer, FreeAnswers } from "@lethe/gateway";

/** Returns the answers that a question would be given for nothing now; none where there is no ledger. Opens no data. */
export async function freeAnswers(
  workspace: Workspace,
  policy: Policy,
  question: { readonly text: string; readonly principal: string; readonly options: AskedOptions },
): Promise<FreeAnswers> {
  if (!existsSync(workspace.ledger)) return { earlier: null, made: null };
  const declared = declaredVersions(workspace);
  const importedOf = await openImports(workspace, policy);
  const versionOf = (table: string): TableVersion => ({
    table,
    imported: importedOf(table),
    declared: Object.hasOwn(declared, table) ? declared[table]! : null,
  });
  const ledger = await openLedger(workspace.ledger, { clock: Date.now });
  try {
    return await freeAnswersOf(question, { policy, ledger, clock: Date.now, versionOf });
  } finally {
    await ledger.close();
  }
}
