import { LetheError } from "@lethe/core";
import { moveLedger, postgresSchema, returnLedger, upgradeLedger, verifyLedger } from "@lethe/ledger";
import { plural } from "@lethe/query";
import { headFileOf } from "../../head-file.ts";
import { say } from "../../render/say.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";
import { parseHead } from "./parse-head.ts";

/**
 * Runs lethe ledger verify: recomputes the whole chain, and fails when anything does not hold. A head file is made only where --head-file asks
 * for it. The policy's line makes none: it works unattended, also on the day when its disk is not mounted.
 */
export async function verifyChain(flags: {
  readonly policy: string;
  readonly head?: string;
  readonly headFile?: string;
}): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const result = await verifyLedger(workspace.ledger, {
    ...(flags.head === undefined ? {} : { head: parseHead(flags.head, "lethe budget") }),
    headFile: headFileOf(workspace, policyOf(workspace), flags.headFile),
    makeHeadFile: flags.headFile !== undefined,
  });
  say(
    `${plural(result.records, "record")}, ${plural(result.charges, "charge")}: every hash, sum and cap holds`,
  );
  say(`head ${result.head.sequence}:${result.head.hash}`);
  if (result.isFirst) say("It is of the first format: lethe ledger upgrade goes on with it.");
}

/** Runs lethe ledger upgrade: goes on with a ledger of the first format, whose file is kept as it was. */
export async function upgradeChain(flags: {
  readonly policy: string;
  readonly headFile?: string;
}): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const headFile = headFileOf(workspace, policyOf(workspace), flags.headFile);
  const { kept, verified } = await upgradeLedger(workspace.ledger, { clock: Date.now, headFile });
  if (kept === null) return say("The ledger is of today's format already; nothing was changed.");
  say(
    `Upgraded: ${plural(verified.records, "record")}, ${plural(verified.charges, "charge")}, and every hash, sum and cap holds.`,
  );
  say(`The file as it was is kept: ${kept}`);
  say(`head ${verified.head.sequence}:${verified.head.hash}`);
}

/** Runs lethe ledger move: from the file to PostgreSQL or back, the chain verified in both. */
export async function moveChain(
  place: string,
  flags: { readonly policy: string; readonly headFile?: string },
): Promise<void> {
  const workspace = workspaceOf(flags.policy);
  const headFile = headFileOf(workspace, policyOf(workspace), flags.headFile);
  const isBack = place === "file";
  const moved = isBack
    ? await returnLedger(workspace.ledger, { headFile })
    : await moveLedger(workspace.ledger, place, { headFile });
  say(
    `Moved: ${plural(moved.records, "record")}, ${plural(moved.charges, "charge")}, and every hash, sum and cap holds there.`,
  );
  say(
    isBack
      ? "It lies in the file of its folder. Its tables are sealed, and are charged no more."
      : "The file is sealed, and is charged no more. Its folder holds the keys, and says where the ledger is.",
  );
  say(`head ${moved.head.sequence}:${moved.head.hash}`);
}

/** Runs lethe ledger tables. Errors: cli.usage for a name that the SQL would have to quote. */
export function printTables({ schema, role }: { readonly schema: string; readonly role: string }): void {
  for (const name of [schema, role]) {
    if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) continue;
    throw new LetheError(
      "cli.usage",
      `the name ${JSON.stringify(name)} is not of small letters, digits and _, of which 63 at most name a schema or a role`,
      {
        fix: "write lethe ledger tables --schema lethe --role lethe_gateway",
      },
    );
  }
  say(postgresSchema(schema, role));
}
