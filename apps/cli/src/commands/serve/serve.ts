import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { LetheError } from "@lethe/core";
import { type HeldLedger, holdLedger, ledgerUrl, openLedger } from "@lethe/ledger";
import type { ServiceConfig } from "@lethe/serve";
import { type Running, serve as startServing, workerCount } from "@lethe/server";
import { accountPolicy } from "../../account-policy.ts";
import { watchImports } from "../../copies/watch-imports.ts";
import { headFileOf } from "../../head-file.ts";
import { ownersLog } from "../../owners-log.ts";
import { watchDeclared } from "../../repeats/declared-versions.ts";
import { policyOf, readText, workspaceOf } from "../../workspace.ts";
import { firstName, firstOwner } from "./first-owner.ts";
import { linesAtOnce } from "./lines-at-once.ts";
import { preparePolicy } from "./prepare-policy.ts";
import { openPeople, peopleHouse, readConfig } from "./service-files.ts";
import { workerEntry, workersOf } from "./worker-parts.ts";

export interface ServeFlags {
  readonly config: string;
  /** Whether the configuration was named: then it must be there. */
  readonly named: boolean;
  readonly policy?: string;
  readonly port?: string;
  readonly postgresPort?: string;
  readonly headFile?: string;
}

/**
 * How much a heap may grow beyond what is in use until garbage is looked for, in percent: V8 lets one grow to several times that. A service keeps little and makes much, and each of its threads has a
 * heap. A version of V8 that does not know the flag says so on standard error, and goes on.
 */
const heapGrowth = 30;

/** lethe serve: answers people and programs until it is told to stop. */
export async function serve(flags: ServeFlags): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  const stopped = new Promise<"stopped">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve("stopped"));
  });
  for (let { port, postgresPort } = flags; ; ) {
    const ports = { ...(port === undefined ? {} : { port }), ...(postgresPort ? { postgresPort } : {}) };
    const running = await startService({ ...flags, ...ports }, (text) => console.error(text));
    const why = await Promise.race([
      stopped,
      running.replaced.then(() => "replaced" as const),
      running.ledgerTaken,
    ]);
    console.error(
      why === "replaced"
        ? "the policy was changed: starting again under it"
        : "stopping: no further request is taken, and those in flight are answered",
    );
    await running.close();
    if (why === "stopped") return;
    if (why !== "replaced") throw why;
    // A free port that was found stays the service's own.
    if (port !== undefined) port = new URL(running.url).port;
    if (postgresPort && running.postgresUrl) postgresPort = new URL(running.postgresUrl).port;
  }
}

export interface RunningService extends Running {
  /** Resolves with ledger.served where another service took the ledger while its server was away: this one must end. */
  readonly ledgerTaken: Promise<LetheError>;
}

/** Starts the service that the flags and the configuration name, and says where it is. Errors: config.*, policy.*, ledger.*, people.*, cli.file. */
export async function startService(flags: ServeFlags, say: (text: string) => void): Promise<RunningService> {
  const placed = readConfig(flags.config, !flags.named);
  const config = withPostgres(withPort(placed.config, flags.port), flags.postgresPort);
  const workspace = workspaceOf(flags.policy ?? resolve(placed.base, config.policy));
  const policy = policyOf(workspace);
  requireSharedStore(config, workspace.ledger);
  const headFile = headFileOf(workspace, policy, flags.headFile);
  const ledger = await openLedger(workspace.ledger, {
    clock: Date.now,
    headFile,
    policy: accountPolicy(policy),
  });
  try {
    const kept = await openPeople({ ...placed, config });
    let held: HeldLedger | null = null;
    try {
      let onTaken: (error: LetheError) => void = () => undefined;
      const ledgerTaken = new Promise<LetheError>((resolve) => {
        onTaken = resolve;
      });
      const service = kept.join === null ? null : { number: serviceNumber(kept.secret), onTaken };
      const holding = await holdLedger(workspace.ledger, service);
      held = holding;
      const pem = (path: string, what: string): string => readText(resolve(placed.base, path), what);
      const { tls } = config;
      const log = ownersLog(workspace);
      const running = await startServing({
        config,
        tls: tls && {
          certificate: pem(tls.certificate, "the certificate"),
          key: pem(tls.key, "the certificate's key"),
        },
        policy,
        ledger,
        kept,
        providerSecret: providerSecret(config),
        preparePolicy: async (text) => preparePolicy(workspace.policyPath, text),
        workerEntry: workerEntry(),
        workers: workersOf(workspace, policy, { publicKey: ledger.publicKey, askers: workerCount() - 1 }),
        declared: watchDeclared(workspace),
        ...(await watchImports(workspace, policy)),
        log: linesAtOnce((text) => console.log(text)),
        ownersLog: log,
        version: "0.1.0",
      });
      // Their token is shown once, so they are let in when the service answers, and not before.
      const first = await firstOwner(peopleHouse(kept, config)).catch(async (error: unknown) => {
        await running.close();
        throw error;
      });
      say(`Lethe answers at ${running.url}`);
      if (running.postgresUrl !== null) say(`and as PostgreSQL does at ${running.postgresUrl}`);
      if (first !== null)
        say(
          `${firstName} is let in as an owner. The first token, shown once and good for a day:\n  ${first}\nTo sign in on the page, set a password: lethe people password ${firstName}`,
        );
      return {
        ...running,
        ledgerTaken,
        close: async () => {
          await running.close();
          await kept.close();
          await ledger.close();
          holding.release();
        },
      };
    } catch (error) {
      held?.release();
      await kept.close();
      throw error;
    }
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** A ledger that several machines reach needs what they share beside it. Errors: config.invalid. */
function requireSharedStore({ store }: ServiceConfig, ledger: string): void {
  if (store !== null || ledgerUrl(ledger) === null) return;
  throw new LetheError(
    "config.invalid",
    "the ledger lies in PostgreSQL, where other services may charge it, and this service's people, rates and slots in a file of its own",
    { fix: "write store: { kind: postgres, url_env: LETHE_SERVICE_URL } in lethe-serve.yaml" },
  );
}

/** A number that tells services apart, of 31 bits, from the secret of their store. */
function serviceNumber(secret: Uint8Array): number {
  const hash = createHash("sha256").update("lethe-service@1").update(secret).digest();
  return Math.max(1, hash.readUInt32BE(0) >>> 1);
}

/** The service's secret at its provider of identities, from the variable that the configuration names. Errors: config.invalid where it is not set. */
function providerSecret({ oidc }: ServiceConfig): string | null {
  const variable = oidc?.clientSecretVariable ?? null;
  if (variable === null) return null;
  const secret = process.env[variable];
  if (secret) return secret;
  throw new LetheError("config.invalid", `oidc.client_secret_env: the variable ${variable} is not set`, {
    fix: `set ${variable} to the secret that the provider gave, in the environment of lethe serve`,
    fields: { path: "oidc.client_secret_env" },
  });
}

function withPort(config: ServiceConfig, port: string | undefined): ServiceConfig {
  if (port === undefined) return config;
  requirePort(port, "--port 8377");
  const { listen, tls } = config;
  const host = listen.address.includes(":") ? `[${listen.address}]` : listen.address;
  const usual = `${tls ? "https" : "http"}://${host}:${listen.port}`;
  // An origin of one's own stays; that of the address moves with the port.
  const origin =
    config.origin === new URL(usual).origin
      ? new URL(`${tls ? "https" : "http"}://${host}:${port}`).origin
      : config.origin;
  return { ...config, origin, listen: { ...listen, port: Number(port) } };
}

function withPostgres(config: ServiceConfig, port: string | undefined): ServiceConfig {
  if (port === undefined) return config;
  requirePort(port, "--postgres-port 5432");
  const { address } = config.postgres ?? config.listen;
  return { ...config, postgres: { address, port: Number(port) } };
}

/** Errors: cli.usage. */
function requirePort(port: string, example: string): void {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new LetheError("cli.usage", `${port} is no port`, { fix: `write ${example}, or 0 for a free one` });
}
