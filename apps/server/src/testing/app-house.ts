import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secureEntropy } from "@lethe/core";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import { type AccountLedger, createLedger } from "@lethe/ledger";
import { type Policy, readPolicy, type TellingEngine, unitHash } from "@lethe/query";
import {
  Attempts,
  type AuditLogStore,
  type AuditTrail,
  addPerson,
  askJobs,
  createToken,
  derive,
  type Gate,
  type OidcHouse,
  openAuditTrail,
  openDashboardsDesk,
  openDoor,
  openGate,
  openPeopleDesk,
  openRecordsDesk,
  openService,
  type PeopleHouse,
  RateLimits,
  type Role,
  requestKinds,
  roles,
  type Service,
  type SessionHouse,
  sessionRules,
  setPassword,
  startPool,
} from "@lethe/serve";
import { createApp } from "../http/app.ts";
import type { App, RequestLine } from "../http/app-parts.ts";
import { letIn } from "../http/let-in.ts";
import { providerSignIns } from "../oidc/provider-sign-ins.ts";
import { createServiceFile, openServiceFile } from "../store/service-file.ts";
import { systemTimer } from "../system-timer.ts";
import type { WireParts } from "../wire/wire-parts.ts";
import { workersHere } from "./workers-here.ts";

/** A service over a real policy, ledger, door and DuckDB, which is asked without a socket. */
export interface AppHouse {
  /** A policy that is put in place has the desks opened anew; the door stays as it is. */
  readonly app: App;
  readonly service: Service;
  readonly ledger: AccountLedger;
  readonly people: PeopleHouse;
  /** The tokens of the people: one for each role, by {@link nameOf}, and bob, a second analyst. */
  readonly tokens: Readonly<Record<Role | "bob", string>>;
  readonly audit: AuditLogStore;
  readonly trail: AuditTrail;
  readonly gate: Gate;
  /** The kinds of the facts that were written, among what a test adds. */
  readonly order: string[];
  /** Full, nothing more is written to the audit log. */
  readonly disk: { isFull: boolean };
  /** What the owner was told of a lost log. */
  readonly lost: readonly unknown[];
  /** The log of requests so far. */
  readonly lines: RequestLine[];
  /** What PostgreSQL's wire is made of, over the same service and people. */
  readonly wire: WireParts;
  /** The folder where everything lies, which no answer may name. */
  readonly folder: string;
  /** Sends a request: by a token where `as` is stated. */
  send(path: string, sent?: Sent): Promise<Response>;
  /** Opens the file of people and sessions anew, and returns what sends a request to a service over it. */
  restarted(): Promise<AppHouse["send"]>;
  close(): Promise<void>;
}

/** What an engine is opened with, beside its seed. */
export interface EnginePlace {
  readonly policy: Policy;
  readonly baseDirectory: string;
  readonly stateDirectory: string;
  readonly log: () => void;
}

export interface Sent {
  readonly as?: Role | "bob" | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is written as JSON. */
  readonly json?: unknown;
  readonly body?: RequestInit["body"];
  readonly address?: string;
  readonly signal?: AbortSignal;
}

/** The names of the people by their role: "owner" is a name of the ledger's own. */
export const nameOf = {
  owner: "olga",
  analyst: "ada",
  auditor: "max",
  operator: "eve",
  bob: "bob",
} as const;

/** The service as its pages name it. */
export const origin = "https://lethe.example";
export const password = "a long enough password";
/** A value of the data that the policy does not name: no answer may hold it. */
export const secretValue = "Zebedee-Quixote";

/** The policy of the service. */
export const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 100000 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [0, 100] }
      town: { type: text, categories: ["=north", south, "a, b"] }
      name: { type: text }
`;

function peopleText(): string {
  const towns = ["=north", "south", '"a, b"'];
  const rows = Array.from({ length: 600 }, (_, at) => `${at % 100},${towns[at % 3]},${secretValue}-${at}`);
  return `age,town,name\n${rows.join("\n")}\n`;
}

/** What tests read of a JSON body. */
export interface Told {
  readonly code?: string;
  readonly signature?: string;
  readonly answer?: { readonly requestId: string };
}

export async function bodyOf(response: Response): Promise<Told> {
  const text = await response.text();
  return text === "" ? {} : JSON.parse(text);
}

/** Opens a service with a few people and a small table. `burst` is the number of requests of each kind that are let in at once. */
export async function openHouse({
  burst = 1e9,
  mostBytes = 65_536,
  provider = null,
  passwords = true,
  tls = true,
  at = origin,
  data = { policy: policyText, people: peopleText() },
  prepare = (place) => importTable({ table: "people", clock: Date.now, ...place }),
  openEngine = (place) => openDuckDb({ seed: "seed of a test", ...place }),
  imports,
}: {
  readonly passwords?: boolean;
  readonly provider?: Pick<OidcHouse, "client" | "send"> | null;
  readonly burst?: number;
  readonly mostBytes?: number;
  readonly tls?: boolean;
  /** The address that browsers reach it by, which its pages name. */
  readonly at?: string;
  /** The policy's text, and the file people.csv. */
  readonly data?: { readonly policy: string; readonly people: string };
  /** Freezes what is to be frozen before a worker starts: people.csv unless stated. */
  readonly prepare?: (place: EnginePlace) => Promise<unknown>;
  /** Opens the engine of a worker: DuckDB unless stated. */
  readonly openEngine?: (place: EnginePlace) => Promise<TellingEngine>;
  /** What the door is told of the imports that are in force. */
  readonly imports?: () => string;
} = {}): Promise<AppHouse> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-app-"));
  const policy = readPolicy(data.policy);
  writeFileSync(join(folder, "people.csv"), data.people);
  const directories = { baseDirectory: folder, stateDirectory: join(folder, ".lethe") };
  const log = (): void => undefined;
  const place: EnginePlace = { policy, log, ...directories };
  await prepare(place);
  const ledger = await createLedger(join(folder, "ledger"), {
    budget: policy.budget,
    policyHash: unitHash(policy),
    source: "people",
    clock: Date.now,
    failureCap: 1e6,
  });
  const { publicKey } = ledger;
  const start = workersHere(async (call) => {
    const engine = await openEngine(place);
    return askJobs({ policy, engine, entropy: secureEntropy(), clock: Date.now, publicKey }, call);
  });
  const pool = startPool({ start, size: 2, queue: 1000 });
  await pool.ready();
  const door = openDoor({
    policy,
    ledger,
    pool,
    timer: systemTimer,
    declared: () => ({}),
    ...(imports && { imports }),
    newId: () => `random ${randomUUID()}`,
  });
  const access = { accountShown: false };
  const file = await createServiceFile(join(folder, "service.db"), randomBytes);
  const iterations = 4096;
  const store = file.people;
  const people: PeopleHouse = {
    store,
    random: randomBytes,
    now: Date.now,
    by: { name: null, by: "command-line", id: null, address: null },
    passwords: { least: 8, isKnown: () => false, iterations, derive },
  };
  const inAnHour = Date.now() + 3_600_000;
  const tokens: Record<string, string> = {};
  for (const key of [...roles, "bob"] as const) {
    const name = nameOf[key];
    const held = { name, roles: [key === "bob" ? "analyst" : key] as const, projects: [] };
    await addPerson(people, held);
    await setPassword(people, name, password);
    const wish = { name: "test", roles: held.roles, maxEpsilon: null, expiresAt: inAnHour };
    tokens[key] = (await createToken(people, name, wish, null)).text;
  }
  const sessions = {
    sessions: file.sessions,
    people: store,
    rules: sessionRules,
    random: randomBytes,
    now: Date.now,
  };
  const rate = { perSecond: 0.001, burst };
  const rates = Object.fromEntries(requestKinds.map((kind) => [kind, { person: rate, address: rate }]));
  const lines: RequestLine[] = [];
  const lost: unknown[] = [];
  const disk = { isFull: false };
  const order: string[] = [];
  const trail = openAuditTrail({
    store: {
      ...file.audit,
      write: async (records) => {
        if (disk.isFull) throw new Error(`no space left for ${secretValue}`);
        order.push(...records.map(({ fact }) => fact.kind));
        return file.audit.write(records);
      },
    },
    now: Date.now,
    lost: (error) => void lost.push(error),
  });
  const gate = openGate(access, trail);
  const service = openService({ door, ledger, gate, offers: { secret: file.secret, now: () => Date.now() } });
  const signIns = {
    store,
    attempts: new Attempts(),
    passwords: { derive, iterations, secret: file.secret },
  };
  const admissionBy = (of: SessionHouse) =>
    letIn({
      sessions: of,
      limits: new RateLimits(rates as never, 1000),
      elapsed: systemTimer.elapsed,
      place: { origin: at, tls: at.startsWith("https:") },
      trail,
    });
  let served = data.policy;
  const appOver = (sessions: SessionHouse): App =>
    createApp({
      service,
      admission: admissionBy(sessions),
      desk: openPeopleDesk({ gate, people, signIns, sessions, passwords }),
      records: openRecordsDesk({
        gate,
        audit: file.audit,
        policy: readPolicy(served),
        policyText: served,
        ledger,
        keeper: {
          prepare: async (text) => ({
            put: async () => {
              writeFileSync(join(folder, "lethe.yaml"), text);
              served = text;
            },
          }),
          again: () => {
            order.push("again");
            app = appOver(sessions);
          },
        },
      }),
      dashboards: openDashboardsDesk({ gate, store: file.dashboards, random: randomBytes, now: Date.now }),
      now: Date.now,
      provider:
        provider &&
        providerSignIns({ ...provider, pending: file.pending, store, random: randomBytes, now: Date.now }),
      passwords,
      mostBytes,
      tls,
      log: (line) => void lines.push(line),
    });
  let app = appOver(sessions);
  const wire: WireParts = {
    node: null,
    service,
    admission: admissionBy(sessions),
    desk: openPeopleDesk({ gate, people, signIns, sessions, passwords }),
    people: store,
    mostBytes,
    rules: sessionRules,
    random: randomBytes,
    now: Date.now,
    log: (line) => void lines.push(line),
  };
  const sendTo = async (
    to: App,
    path: string,
    { as, method, headers = {}, json, body, address = "192.0.2.1", signal }: Sent = {},
  ): Promise<Response> => {
    const given = json === undefined ? body : JSON.stringify(json);
    const request = new Request(`${at}${path}`, {
      method: method ?? (given === undefined ? "GET" : "POST"),
      headers: {
        host: new URL(at).host,
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` }),
        ...headers,
      },
      ...(given === undefined ? {} : { body: given, duplex: "half" as const }),
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit);
    return to.fetch(request, { address });
  };
  const files = [file];
  return {
    get app() {
      return app;
    },
    service,
    ledger,
    people,
    tokens: tokens as AppHouse["tokens"],
    audit: file.audit,
    trail,
    gate,
    disk,
    order,
    lost,
    lines,
    wire,
    folder,
    send: (path, sent) => sendTo(app, path, sent),
    async restarted() {
      const again = await openServiceFile(join(folder, "service.db"));
      files.push(again);
      const app = appOver({ ...sessions, sessions: again.sessions });
      return (path, sent) => sendTo(app, path, sent);
    },
    async close() {
      await pool.close();
      await ledger.close();
      for (const each of files) each.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
