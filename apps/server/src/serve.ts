import { createHash, randomBytes, randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import type { AccountLedger } from "@lethe/ledger";
import { type Policy, policyHash, readPolicy } from "@lethe/query";
import {
  checkIterations,
  derive,
  fewAtOnce,
  isKnownPassword,
  openAuditTrail,
  openDashboardsDesk,
  openDoor,
  openGate,
  openPeopleDesk,
  openRecordsDesk,
  openService,
  ownJourneys,
  type PeopleHouse,
  type PolicyKeeper,
  type Pool,
  type ServiceConfig,
  startPool,
} from "@lethe/serve";
import type { AppParts } from "./http/app-parts.ts";
import { letIn } from "./http/let-in.ts";
import { oidcCallback } from "./http/open-paths.ts";
import { providerSignIns } from "./oidc/provider-sign-ins.ts";
import { sendToProvider } from "./oidc/send-to-provider.ts";
import { addOperations } from "./ops/add-operations.ts";
import type { Listening } from "./ops/begin-listening.ts";
import { listen } from "./ops/listen.ts";
import { RequestCounts } from "./ops/metrics.ts";
import { policyHolds } from "./ops/policy-holds.ts";
import { tellOwner } from "./ops/tell-owner.ts";
import type { ServedPolicy, ServiceNode, ServiceStore } from "./store/service-store.ts";
import { systemTimer } from "./system-timer.ts";
import type { listenWire as ListenWire } from "./wire/listen-wire.ts";
import { threadStarter } from "./workers/start-thread.ts";
import type { WorkerSettings } from "./workers/worker-settings.ts";

/** What a service is started with; whoever starts it opened the ledger and the store, and closes them afterwards. */
export interface ServeParts {
  readonly config: ServiceConfig;
  /** Certificate and key as PEM; null where the configuration names none. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  readonly policy: Policy;
  readonly ledger: AccountLedger;
  readonly kept: ServiceStore;
  /** The service's secret at its provider of identities; null where it has none. */
  readonly providerSecret: string | null;
  /** Writes a policy beside the one that is there, durable when it returns, and returns what puts it in its place. */
  readonly preparePolicy: PolicyKeeper["prepare"];
  /** The program of the worker threads, and what each opens. */
  readonly workerEntry: URL;
  readonly workers: WorkerSettings;
  /** Returns the random ids by which the owner last declared the data of tables as changed, by table. */
  readonly declared: () => Readonly<Record<string, string>>;
  /** Names the imports that are in force, where workers look for them at each question. */
  readonly imports?: () => string;
  /** Gets one object a line for the service's log: no question, no answer, no duration. */
  readonly log: (line: Readonly<Record<string, string | number | null>>) => void;
  /** Gets what must not be told to anybody else: it may hold data. */
  readonly ownersLog: (detail: string) => void;
  readonly version: string;
}

/** A service that runs. */
export interface Running {
  /** Such as http://127.0.0.1:8377. */
  readonly url: string;
  /** The address of PostgreSQL's protocol, such as postgresql://127.0.0.1:5432; null where it is not. */
  readonly postgresUrl: string | null;
  /** Resolves when questions are answered. */
  ready(): Promise<void>;
  /** Resolves when an owner put another policy in place: the service must be closed and started again. */
  readonly replaced: Promise<void>;
  /** Takes no further request, lets those in flight end, and stops the workers. What was charged is answered, or is found again by the same question. */
  close(): Promise<void>;
}

/** The number of buckets that rate limits keep. */
const mostBuckets = 50_000;
/** The questions that wait for a worker; one more is refused. */
const longestQueue = 1_000;
const graceMs = 15_000;

/** One worker more than there are cores, since one is kept for what reads no rows; no more than nine, each of which has an engine of its own. */
export function workerCount(): number {
  return Math.min(availableParallelism() + 1, 9);
}

/**
 * Starts the service: workers, door, people and a socket. Errors: config.invalid; cli.file where the address is taken; log.lost. Nothing goes on then.
 */
export async function serve(parts: ServeParts): Promise<Running> {
  const { config, kept, ownersLog } = parts;
  checkIterations(await kept.people.list(), config.signIn.iterations);
  const start = threadStarter({ entry: parts.workerEntry, settings: parts.workers, log: ownersLog });
  const pool = startPool({ start, size: workerCount(), queue: longestQueue });
  let again = (): void => undefined;
  const replaced = new Promise<void>((resolve) => {
    again = resolve;
  });
  let node: ServiceNode | null = null;
  try {
    node = await joinOthers(parts, again);
    return await serveBy({ pool, node, again, replaced }, parts);
  } catch (error) {
    await node?.leave();
    await pool.close();
    throw error;
  }
}

/** Joins the other processes of the service, where its store is theirs too: a policy that one of them puts in place is put where this one finds it, which then starts again. */
async function joinOthers(parts: ServeParts, again: () => void): Promise<ServiceNode | null> {
  const { kept, policy, preparePolicy, ownersLog } = parts;
  if (kept.join === null) return null;
  const replace = async (text: string): Promise<void> => {
    const prepared = await preparePolicy(text);
    await prepared.put();
    again();
  };
  return kept.join({
    policy: servedPolicy(parts.workers.policyText, policy),
    replaced: (text) =>
      void replace(text).catch((error: unknown) =>
        ownersLog(`the policy that another process put in place could not be written: ${error}`),
      ),
  });
}

/** A policy is another one where its text is, or where what the text reads as is. */
function servedPolicy(text: string, policy: Policy): ServedPolicy {
  return {
    text,
    hash: createHash("sha256")
      .update(`${policyHash(policy)}\n${text}`)
      .digest("hex"),
  };
}

/** What a service that starts is made over. */
interface Starting {
  readonly pool: Pool;
  readonly node: ServiceNode | null;
  readonly again: () => void;
  readonly replaced: Promise<void>;
}

async function serveBy({ pool, node, again, replaced }: Starting, parts: ServeParts): Promise<Running> {
  const { config, tls, policy, ledger, kept, declared, imports, log, ownersLog, version } = parts;
  const { people: store, audit, secret } = kept;
  const { signIn } = config;
  const newId = (): string => `random ${randomUUID()}`;
  const journeys = node?.journeys ?? ownJourneys;
  const seen = { declared, ...(imports && { imports }) };
  const door = openDoor({ policy, ledger, pool, timer: systemTimer, ...seen, newId, journeys });
  const preparePolicy: PolicyKeeper["prepare"] = async (text) => {
    const prepared = await parts.preparePolicy(text);
    const put = async (): Promise<void> => {
      await node?.putPolicy(servedPolicy(text, readPolicy(text)));
      await prepared.put();
    };
    return { put };
  };
  const access = { accountShown: policy.budget.showAccount === true };
  const slow = fewAtOnce(derive, 2, 64);
  const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count));
  const now = Date.now;
  const people: Omit<PeopleHouse, "by"> = {
    store,
    random,
    now,
    passwords: {
      least: signIn.leastLength,
      isKnown: isKnownPassword,
      iterations: signIn.iterations,
      derive: slow,
    },
  };
  const { idleMs, absoluteMs } = signIn;
  const sessions = {
    sessions: kept.sessions,
    people: store,
    rules: { idleMs, absoluteMs },
    random,
    now,
  };
  // A free port is known once it is listened on.
  let { origin } = config;
  const place = {
    get origin(): string {
      return origin;
    },
    tls: origin.startsWith("https:"),
  };
  const counts = new RequestCounts();
  const holds = policyHolds(ledger, systemTimer.elapsed);
  let isReady = false;
  let isLost = false;
  const trail = openAuditTrail({
    store: audit,
    now,
    lost: (error) => {
      isLost = true;
      ownersLog(`the audit log was lost, and nothing is answered any more: ${error}`);
    },
  });
  const gate = openGate(access, trail);
  const signIns = {
    store,
    attempts: kept.attempts,
    passwords: { derive: slow, iterations: signIn.iterations, secret },
  };
  const { oidc } = config;
  const provider =
    oidc &&
    providerSignIns({
      client: {
        ...oidc,
        clientSecret: parts.providerSecret,
        get redirectUri() {
          return `${origin}${oidcCallback}`;
        },
      },
      store,
      pending: kept.pending,
      send: sendToProvider,
      random,
      now,
    });
  const service = tellOwner(openService({ door, ledger, gate, offers: { secret, now } }), ownersLog, now);
  const admission = letIn({
    sessions,
    limits: kept.limits(config.limits, mostBuckets),
    elapsed: systemTimer.elapsed,
    place,
    trail,
  });
  const desk = openPeopleDesk({ gate, people, signIns, sessions, passwords: signIn.passwords });
  const logged: AppParts["log"] = (line) => {
    counts.count(line);
    log({ ...line, at: new Date(line.at).toISOString() });
  };
  // The threads load their programs while this one loads what speaks HTTP.
  const { createApp } = await import("./http/app.ts");
  const app = createApp({
    provider,
    now,
    service,
    admission,
    desk,
    dashboards: openDashboardsDesk({ gate, store: kept.dashboards, random, now }),
    records: openRecordsDesk({
      gate,
      audit,
      policy,
      policyText: parts.workers.policyText,
      ledger,
      keeper: { prepare: preparePolicy, again },
    }),
    passwords: signIn.passwords,
    mostBytes: config.limits.body,
    tls: place.tls,
    log: logged,
  });
  addOperations(app, {
    counts,
    door,
    gate,
    version,
    workers: workerCount(),
    queue: longestQueue,
    startedAt: now(),
    now,
    ready: async () => isReady && !isLost && (await holds()),
  });
  const began = pool.ready().then(() => {
    isReady = true;
  });
  began.catch(() => undefined);
  const listening = await listen((request, env) => app.fetch(request, env), {
    ...config.listen,
    tls,
    proxies: config.proxies,
  });
  const { postgres } = config;
  const wire =
    postgres &&
    (await openWire(
      {
        ...{ service, admission, desk, random, now, log: logged, node },
        people: store,
        mostBytes: config.limits.body,
        rules: { idleMs, absoluteMs },
      },
      { ...postgres, tls },
    ).catch(async (error: unknown) => {
      await listening.close(0);
      throw error;
    }));
  const actor = { name: null, by: "command-line", id: null, address: null } as const;
  await trail.write(actor, { kind: "started", version }).catch(async (error: unknown) => {
    await Promise.all([listening.close(0), wire?.close(0)]);
    throw error;
  });
  const url = `${tls ? "https" : "http"}://${placeOf(listening)}`;
  // One that is stated stays, such as that of a proxy.
  if (new URL(origin).port === "0") origin = url;
  return {
    url,
    postgresUrl: wire && `postgresql://${placeOf(wire)}`,
    ready: () => began,
    replaced,
    close: async () => {
      isReady = false;
      await Promise.all([listening.close(graceMs), wire?.close(graceMs)]);
      await pool.close();
      await node?.leave();
      // A log that is lost was told of when that happened.
      if (isLost) return;
      await trail.close();
      await trail.write(actor, { kind: "stopped", version });
    },
  };
}

/** Listens for PostgreSQL's protocol, whose program is loaded where it is spoken. */
async function openWire(...given: Parameters<typeof ListenWire>): Promise<Listening> {
  return (await import("./wire/listen-wire.ts")).listenWire(...given);
}

/** An address and a port as they stand in a URL. */
function placeOf({ address, port }: Listening): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}
