import { createHmac, randomUUID } from "node:crypto";
import { LetheError } from "@lethe/core";
import { EndingClient } from "@lethe/engine-postgres";
import type { JourneyName, Journeys } from "@lethe/serve";
import type { Client } from "pg";
import type { Joining, ServedPolicy, ServiceNode } from "../service-store.ts";
import { schemaName } from "./schema.ts";
import type { Run, Tables } from "./tables.ts";

export interface JoiningNode extends Joining {
  readonly tables: Tables;
  readonly secret: Uint8Array;
  readonly url: string;
  /** The time after which a process that says nothing is taken for dead, in milliseconds. Default 10,000. */
  readonly leaseMs?: number;
  readonly log: (detail: string) => void;
}

/** Milliseconds since 1970 by the database's clock: those of the processes may differ. */
const now = "EXTRACT(epoch FROM clock_timestamp()) * 1000";
const isAlive = (node: string): string =>
  `EXISTS (SELECT FROM ${schemaName}.nodes WHERE nodes.id = ${node} AND nodes.until > ${now})`;
const channel = "lethe_service";
const firstPollMs = 20;
const longestPollMs = 200;

/**
 * Joins the processes that serve one policy over one database. A process is alive as long as it renews its lease; what a dead one held is taken over. Every take of a request has a number of its own, so that a process that was
 * taken for dead and wakes up sees that it holds nothing any more. Errors: policy.changed where living processes serve another policy.
 */
export async function joinNodes(joining: JoiningNode): Promise<ServiceNode> {
  const { tables, policy, leaseMs = 10_000 } = joining;
  const id = randomUUID();
  await tables.within(async (run) => {
    const kept = await lockedPolicy(run);
    const [living] = await run(`SELECT FROM ${schemaName}.nodes WHERE until > ${now} LIMIT 1`);
    if (living !== undefined && kept !== null && kept !== policy.hash) throw otherPolicy();
    await writePolicy(run, policy);
    await run(`INSERT INTO ${schemaName}.nodes VALUES ($1, ${now} + $2)`, [id, leaseMs]);
  });
  const node = new DatabaseNode(joining, id, leaseMs);
  await node.listen();
  return node;
}

/** A request that this process took, and how many of its journeys run under it. */
interface Taken {
  count: number;
  readonly term: Promise<number>;
}

class DatabaseNode implements ServiceNode {
  readonly journeys: Journeys;
  readonly #joining: JoiningNode;
  readonly #id: string;
  readonly #leaseMs: number;
  readonly #taken = new Map<string, Taken>();
  readonly #renewing: NodeJS.Timeout;
  #listener: Client | null = null;
  #onStop: (isMeant: (of: JourneyName) => boolean) => void = () => undefined;
  #onCancel: (isMeant: (key: string) => boolean) => void = () => undefined;
  #hasLeft = false;
  #isReplaced = false;
  #policyHash: string;

  constructor(joining: JoiningNode, id: string, leaseMs: number) {
    this.#joining = joining;
    this.#id = id;
    this.#leaseMs = leaseMs;
    this.#policyHash = joining.policy.hash;
    this.#renewing = setInterval(() => void this.#renew(), leaseMs / 4);
    this.#renewing.unref();
    this.journeys = {
      take: (of) => this.#take(of),
      holds: (of, term) => this.#holds(of, term),
      schedule: async ({ principal, requestId }, inMs) => {
        await this.#run(
          `UPDATE ${schemaName}.journeys SET slot_at = ${now} + $4 WHERE principal = $1 AND request_id = $2 AND node = $3`,
          [principal, requestId, id, inMs],
        );
      },
      end: (of, term) => this.#end(of, term),
      isUnderWay: async ({ principal, requestId }) => {
        const [found] = await this.#run(
          `SELECT FROM ${schemaName}.journeys WHERE principal = $1 AND request_id = $2 AND node <> $3 AND (slot_at > ${now} OR ${isAlive("node")})`,
          [principal, requestId, id],
        );
        return found !== undefined;
      },
      stopWaiting: (of) => this.#tell("stop", this.#mark(JSON.stringify([of.principal, of.requestId]))),
      onStop: (stop) => {
        this.#onStop = stop;
      },
      requirePolicy: () => this.#requirePolicy(),
    };
  }

  cancel(key: string): void {
    this.#tell("cancel", this.#mark(key));
  }

  onCancel(cancel: (isMeant: (key: string) => boolean) => void): void {
    this.#onCancel = cancel;
  }

  async putPolicy(policy: ServedPolicy): Promise<void> {
    await this.#joining.tables.within(async (run) => {
      await lockedPolicy(run);
      await writePolicy(run, policy);
    });
    this.#policyHash = policy.hash;
    this.#tell("policy", "");
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearInterval(this.#renewing);
    await this.#listener?.end().catch(() => undefined);
    await this.#run(
      `WITH gone AS (DELETE FROM ${schemaName}.nodes WHERE id = $1) DELETE FROM ${schemaName}.journeys WHERE node = $1 AND slot_at <= ${now}`,
      [this.#id],
    );
  }

  /** Listens to the other processes, again where the connection was cut. What is said meanwhile is lost: of a policy, each question asks anew. */
  async listen(): Promise<void> {
    const listener = new EndingClient({
      connectionString: this.#joining.url,
      application_name: "lethe serve",
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    const again = (): void => {
      if (this.#hasLeft || this.#listener !== listener) return;
      this.#listener = null;
      setTimeout(() => void this.listen().catch(() => undefined), 1_000).unref();
    };
    this.#listener = listener;
    listener.on("error", again);
    listener.on("end", again);
    listener.on("notification", ({ payload = "" }) => this.#hear(payload));
    try {
      await listener.connect();
      await listener.query(`LISTEN ${channel}`);
    } catch (error) {
      this.#joining.log(`the service does not hear its other processes: ${error}`);
      again();
    }
  }

  #hear(payload: string): void {
    const [from, kind, mark] = payload.split(" ");
    if (from === this.#id) return;
    if (kind === "stop")
      this.#onStop(({ principal, requestId }) => this.#mark(JSON.stringify([principal, requestId])) === mark);
    else if (kind === "cancel") this.#onCancel((key) => this.#mark(key) === mark);
    else if (kind === "policy") void this.#requirePolicy().catch(() => undefined);
  }

  /** Tells the other processes something. Whoever else hears it learns no name and no key: they are told by marks that the service alone can make. */
  #tell(kind: "stop" | "cancel" | "policy", mark: string): void {
    this.#run("SELECT pg_notify($1, $2)", [channel, `${this.#id} ${kind} ${mark}`]).catch((error: unknown) =>
      this.#joining.log(`the service's other processes were not told: ${error}`),
    );
  }

  #mark(text: string): string {
    return createHmac("sha256", this.#joining.secret).update(`lethe-nodes@1 ${text}`).digest("hex");
  }

  #run<Row>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#joining.tables.run<Row>(sql, values);
  }

  async #renew(): Promise<void> {
    try {
      await this.#run(
        `INSERT INTO ${schemaName}.nodes VALUES ($1, ${now} + $2) ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
        [this.#id, this.#leaseMs],
      );
      // What the dead have left: an answer whose slot has not come stays untold.
      await this.#run(
        `DELETE FROM ${schemaName}.journeys WHERE slot_at <= ${now} AND NOT ${isAlive("journeys.node")}`,
        [],
      );
      await this.#run(`DELETE FROM ${schemaName}.nodes WHERE until <= ${now} - 60000`, []);
      await this.#requirePolicy();
    } catch {
      // Whoever asks is told what is wrong; what this process holds is another's if it lasts.
    }
  }

  async #requirePolicy(): Promise<void> {
    const [kept] = await this.#run<{ readonly hash: string; readonly text: string | null }>(
      `SELECT policy_hash AS hash, CASE WHEN policy_hash <> $1 THEN policy END AS text FROM ${schemaName}.service`,
      [this.#policyHash],
    );
    if (kept === undefined || kept.hash === this.#policyHash) {
      if (this.#policyHash !== this.#joining.policy.hash) throw startsAgain();
      return;
    }
    if (!this.#isReplaced && !this.#hasLeft) {
      this.#isReplaced = true;
      this.#joining.replaced(kept.text ?? "");
    }
    throw startsAgain();
  }

  async #take(of: JourneyName): Promise<number> {
    const key = JSON.stringify([of.principal, of.requestId]);
    for (;;) {
      const own = this.#taken.get(key);
      if (own === undefined) break;
      own.count += 1;
      const term = await own.term;
      if (await this.#holds(of, term)) return term;
      own.count -= 1;
      if (this.#taken.get(key) === own) this.#taken.delete(key);
    }
    const taken: Taken = { count: 1, term: this.#takeFromOthers(of) };
    this.#taken.set(key, taken);
    try {
      return await taken.term;
    } catch (error) {
      if (this.#taken.get(key) === taken) this.#taken.delete(key);
      throw error;
    }
  }

  async #takeFromOthers({ principal, requestId }: JourneyName): Promise<number> {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
      const [taken] = await this.#run<{ readonly term: number }>(
        `INSERT INTO ${schemaName}.journeys VALUES ($1, $2, $3, nextval('${schemaName}.terms'), '-Infinity')
          ON CONFLICT (principal, request_id) DO UPDATE SET node = excluded.node, term = excluded.term, slot_at = excluded.slot_at
          WHERE journeys.slot_at <= ${now} AND (journeys.node = excluded.node OR NOT ${isAlive("journeys.node")})
          RETURNING term::float8 AS term`,
        [principal, requestId, this.#id],
      );
      if (taken !== undefined) return taken.term;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  async #holds({ principal, requestId }: JourneyName, term: number): Promise<boolean> {
    const [held] = await this.#run(
      `SELECT FROM ${schemaName}.journeys WHERE principal = $1 AND request_id = $2 AND node = $3 AND term = $4`,
      [principal, requestId, this.#id, term],
    );
    return held !== undefined;
  }

  async #end({ principal, requestId }: JourneyName, term: number): Promise<void> {
    const key = JSON.stringify([principal, requestId]);
    const own = this.#taken.get(key);
    if (own !== undefined && (await own.term) === term) {
      own.count -= 1;
      if (own.count > 0) return;
      if (this.#taken.get(key) === own) this.#taken.delete(key);
    }
    await this.#run(
      `DELETE FROM ${schemaName}.journeys WHERE principal = $1 AND request_id = $2 AND node = $3 AND term = $4`,
      [principal, requestId, this.#id, term],
    );
  }
}

/** Locks the row of the policy, and returns the hash of the one that is in place; null for none. */
async function lockedPolicy(run: Run): Promise<string | null> {
  const [row] = await run<{ readonly hash: string | null }>(
    `SELECT policy_hash AS hash FROM ${schemaName}.service WHERE id = 0 FOR UPDATE`,
  );
  return row?.hash ?? null;
}

async function writePolicy(run: Run, { hash, text }: ServedPolicy): Promise<void> {
  await run(`UPDATE ${schemaName}.service SET policy_hash = $1, policy = $2`, [hash, text]);
}

function startsAgain(): LetheError {
  return new LetheError(
    "serve.busy",
    "another policy was put in place, and the service starts again under it",
    {
      fix: "ask again in a moment",
    },
  );
}

function otherPolicy(): LetheError {
  return new LetheError("policy.changed", "the service's other processes serve another policy", {
    fix: "copy the policy's file from where one of them runs; or end all of them, and start this one first to put its policy in place",
  });
}
