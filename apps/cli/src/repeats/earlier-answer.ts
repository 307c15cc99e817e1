import { existsSync } from "node:fs";
import { importOf, readManifest } from "@lethe/engine-duckdb/snapshots";
import { type AskedOptions, repeatAhead, type TableVersion } from "@lethe/gateway";
import { openLedger } from "@lethe/ledger";
import type { Policy } from "@lethe/query";
import type { Workspace } from "../workspace.ts";
import { declaredVersions } from "./declared-versions.ts";

/** An answer that is there already, and that the same question is shown again at no charge. */
export interface EarlierAnswer {
  readonly requestId: string;
  /** When it was given: ISO 8601. */
  readonly asOf: string;
}

/** Returns the answer that a question would be shown again now; null where it would be paid for, and where there is no ledger. Opens no data. */
export async function earlierAnswer(
  workspace: Workspace,
  policy: Policy,
  question: { readonly text: string; readonly principal: string; readonly options: AskedOptions },
): Promise<EarlierAnswer | null> {
  if (!existsSync(workspace.ledger)) return null;
  const declared = declaredVersions(workspace);
  const versionOf = (table: string): TableVersion => {
    const manifest = readManifest(workspace.state, table);
    return {
      table,
      imported: manifest === null ? null : importOf(manifest),
      declared: Object.hasOwn(declared, table) ? declared[table]! : null,
    };
  };
  const ledger = await openLedger(workspace.ledger, { clock: Date.now });
  try {
    return await repeatAhead(question, { policy, ledger, clock: Date.now, versionOf });
  } finally {
    await ledger.close();
  }
}
