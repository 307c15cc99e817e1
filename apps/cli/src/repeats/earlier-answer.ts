import { existsSync } from "node:fs";
import { importOf, readManifest } from "@lethe/engine-duckdb/snapshots";
import { type AskedOptions, type MadeAhead, madeAhead, repeatAhead, type TableVersion } from "@lethe/gateway";
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

/** What a question would be shown for nothing. */
export interface FreeAnswers {
  /** An earlier answer to the same question; null where there is none. */
  readonly earlier: EarlierAnswer | null;
  /** An answer that earlier releases make; null where they make none. */
  readonly made: MadeAhead | null;
}

/** Returns the answers that a question would be given for nothing now; none where there is no ledger. Opens no data. */
export async function freeAnswers(
  workspace: Workspace,
  policy: Policy,
  question: { readonly text: string; readonly principal: string; readonly options: AskedOptions },
): Promise<FreeAnswers> {
  if (!existsSync(workspace.ledger)) return { earlier: null, made: null };
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
    const sources = { policy, ledger, clock: Date.now, versionOf };
    const earlier = await repeatAhead(question, sources);
    return { earlier, made: await madeAhead(question, sources) };
  } finally {
    await ledger.close();
  }
}
