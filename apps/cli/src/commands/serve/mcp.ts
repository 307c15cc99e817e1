import { LetheError, parseRational } from "@lethe/core";
import { openLedger } from "@lethe/ledger";
import { bridgeStdio, requireReachable, serveMcpOverStdio } from "@lethe/server/mcp";
import { accountPolicy } from "../../account-policy.ts";
import { watchImports } from "../../copies/watch-imports.ts";
import { headFileOf } from "../../head-file.ts";
import { ownersLog } from "../../owners-log.ts";
import { watchDeclared } from "../../repeats/declared-versions.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";
import { type ServerFlags, serverNamed } from "./server-named.ts";
import { workerEntry, workersOf } from "./worker-parts.ts";

interface McpFlags extends ServerFlags {
  readonly policy: string;
  readonly as?: string;
  readonly maxEpsilon?: string;
  readonly headFile?: string;
}

/** Runs lethe mcp: speaks the model context protocol on standard input and output until that ends, or a signal comes. */
export async function mcp(flags: McpFlags): Promise<void> {
  if (flags.server === undefined && flags.tokenFile === undefined) return onPolicy(flags);
  const beside = (["as", "maxEpsilon", "headFile"] as const).find((name) => flags[name] !== undefined);
  if (beside !== undefined)
    throw new LetheError("cli.usage", "who asks a service, and for how much, its token says", {
      fix: "leave out --as, --max-epsilon and --head-file beside --server",
    });
  const named = serverNamed(flags);
  await requireReachable(named);
  await bridgeStdio(named, untilEnd());
}

async function onPolicy({ policy: path, as, maxEpsilon, headFile: asked }: McpFlags): Promise<void> {
  if (as === undefined)
    throw new LetheError("cli.usage", "an agent asks under a name, which is charged for its questions", {
      fix: "write --as agent; or --server URL --token-file FILE to ask a running service",
    });
  const cap = maxEpsilon === undefined ? null : parseRational(maxEpsilon, "max-epsilon");
  const workspace = workspaceOf(path);
  const policy = policyOf(workspace);
  const headFile = headFileOf(workspace, policy, asked);
  const ledger = await openLedger(workspace.ledger, {
    clock: Date.now,
    headFile,
    policy: accountPolicy(policy),
  });
  try {
    await ledger.requirePolicy();
    // Who may not ask is told now, and not when the first question fails.
    await ledger.remaining(as);
    await serveMcpOverStdio(
      {
        policy,
        ledger,
        principal: as,
        maxEpsilonPerQuestion: cap,
        workerEntry: workerEntry(),
        workers: workersOf(workspace, policy, { publicKey: ledger.publicKey, askers: 1 }),
        declared: watchDeclared(workspace),
        ...(await watchImports(workspace, policy)),
        ownersLog: ownersLog(workspace),
      },
      untilEnd(),
    );
  } finally {
    await ledger.close();
  }
}

/** Resolves when the client closes standard input, or a signal comes. */
function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    process.stdin.once("end", end).once("close", end);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  });
}
