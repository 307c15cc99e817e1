import { LetheError } from "@lethe/core";
import type { Principal, RequestKind } from "@lethe/serve";
import { problemOf } from "../http/problems/problem.ts";
import { admittedSpan } from "./admitted-span.ts";
import { copyForm, copyRows } from "./answers/copy-out.ts";
import { errorFields, type Place } from "./answers/error-fields.ts";
import { describedAs, rowMessages, sendAll, tagOf } from "./answers/send-rows.ts";
import { Extended } from "./extended.ts";
import type { ClientMessage } from "./frames/client-message.ts";
import { serverMessage } from "./frames/server-message.ts";
import { type AskedValue, Asking } from "./session/asking.ts";
import { Canceled } from "./session/canceled.ts";
import { CatalogAsking } from "./session/catalog-asking.ts";
import type { CatalogQueries } from "./session/catalog-queries.ts";
import { Cursors } from "./session/cursors.ts";
import { readStatement } from "./session/read-statement.ts";
import { type Outcome, runStatement } from "./session/run-statement.ts";
import type { SessionState } from "./session/session-state.ts";
import type { Settings } from "./session/settings.ts";
import type { Statement } from "./session/statement.ts";
import { InFailedBlock, Transaction } from "./session/transaction.ts";
import { statementsOf, type Word } from "./session/words.ts";
import type { Channel } from "./sign-in/channel.ts";
import { Closing } from "./sign-in/closing.ts";
import type { SignedIn } from "./sign-in/sign-in.ts";
import type { RowsToSend, WireHost } from "./wire-host.ts";
import type { WireParts } from "./wire-parts.ts";

/** What a connection is made of once somebody signed in. */
export interface ConnectionParts {
  readonly channel: Channel;
  readonly signedIn: SignedIn;
  readonly address: string;
  readonly database: string;
  readonly process: number;
  readonly settings: Settings;
  /** What all connections of whoever signed in remember of the catalog. */
  readonly queries: CatalogQueries;
  readonly wire: WireParts;
}

/** The status of what was called off, and of what a failed block passes over. */
const conflict = 409;

/** The characters of a text that count as one read: to tell its words apart takes below a millisecond for as many. */
const charactersOfRead = 2_000;

/** The steps of the catalog that count as one more read: they take a few milliseconds. */
const stepsOfRead = 10_000;

/** The codes after which a connection is closed: nobody is signed in any more, or what came cannot be told apart from what follows. */
const ending: ReadonlySet<string> = new Set(["serve.signed-out", "serve.protocol", "serve.too-large"]);

/** One connection of PostgreSQL's protocol, once somebody signed in: one message after the other. */
export class Connection implements WireHost {
  readonly session: SessionState;
  readonly asking: Asking;
  readonly queries: CatalogQueries;
  readonly #parts: ConnectionParts;
  readonly #extended: Extended;
  /** Who was let in last. */
  #who: Principal | null = null;
  /** What was spent and is not drawn yet: a rate may lie in a database. */
  #spending: Promise<unknown> = Promise.resolve();
  /** What the client waits for. */
  #waiting: AbortController | null = null;
  #isStopping = false;
  #isIdle = false;
  /** Whether the client was told that the next question may come, and has sent nothing since. */
  #isReady = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    const { signedIn, database, process, settings, wire } = parts;
    this.queries = parts.queries;
    this.#extended = new Extended(this);
    this.session = {
      user: signedIn.name,
      ...{ database, process, settings },
      transaction: new Transaction(),
      cursors: new Cursors(),
      forget: (statement) => this.#extended.forget(statement),
    };
    this.asking = new Asking({
      service: wire.service,
      settings,
      catalog: new CatalogAsking({
        ...{ service: wire.service, session: this.session, queries: parts.queries, now: wire.now },
        spent: (steps) => this.#spent(steps),
      }),
      admitted: (kind) => this.#admitted(kind),
      signal: () => this.#waiting?.signal,
    });
    parts.channel.gone.addEventListener("abort", () => this.cancel(), { once: true });
  }

  /** Answers until the client ends it, is gone, or is no longer let in. */
  async run(): Promise<void> {
    const { channel } = this.#parts;
    await this.ready();
    for (;;) {
      const message = await this.#next();
      if (message === null || message.kind === "terminate") return;
      await this.#answer(message);
      if (this.#isStopping) throw stopping();
      if (channel.gone.aborted) return;
    }
  }

  /** Calls off what the client waits for. */
  cancel(): void {
    this.#waiting?.abort(new Canceled("client"));
  }

  /** Ends the connection once what it waits for is answered. */
  stop(): void {
    this.#isStopping = true;
    if (this.#isIdle) void this.fatal(stopping());
  }

  send(...messages: readonly Buffer[]): Promise<void> {
    return this.#parts.channel.write(Buffer.concat(messages));
  }

  ready(): Promise<void> {
    const { state } = this.session.transaction;
    if (state === "I") {
      this.#extended.endBlock();
      this.session.settings.endBlock();
    }
    this.#isReady = true;
    return this.send(serverMessage.ready(state));
  }

  /** Tells of an error, and closes. */
  async fatal(error: unknown): Promise<void> {
    await this.send(serverMessage.error(errorFields(error, "FATAL")));
    this.#parts.channel.close();
  }

  async refuse(error: unknown, place: Place | null): Promise<void> {
    if (error instanceof LetheError && ending.has(error.code)) throw error;
    this.session.transaction.fail();
    await this.send(serverMessage.error(errorFields(error, "ERROR", place)));
  }

  async watched<T>(route: string, act: () => Promise<T>): Promise<T> {
    const { now, log } = this.#parts.wire;
    const at = now();
    const tell = (status: number): void =>
      log({ at, method: "POSTGRES", route, status, principal: this.session.user });
    const waiting = new AbortController();
    this.#waiting = waiting;
    const most = this.session.settings.timeout("statement_timeout");
    const late = most && setTimeout(() => waiting.abort(new Canceled("statement_timeout")), most);
    try {
      const done = await act();
      tell(200);
      return done;
    } catch (error) {
      tell(error instanceof Canceled || error instanceof InFailedBlock ? conflict : problemOf(error).status);
      throw error;
    } finally {
      if (late) clearTimeout(late);
      this.#waiting = null;
    }
  }

  async letRead(text: string): Promise<void> {
    const { signedIn, address, wire } = this.#parts;
    // Nothing is told by it, so that whoever was let in before is not looked up anew for it.
    this.#who ??= await signedIn.renew();
    await this.#drawn();
    await wire.admission.admit("read", this.#who, address, Math.max(1, text.length) / charactersOfRead);
  }

  async readOne(text: string, words: readonly Word[]): Promise<Statement> {
    try {
      return readStatement(text, words);
    } catch (error) {
      return this.watched("session", async () => {
        await this.#admitted("read");
        throw error;
      });
    }
  }

  async letIn(): Promise<void> {
    await this.watched("session", () => this.#admitted("read"));
  }

  runOne(
    statement: Statement,
    values: readonly AskedValue[],
    types: readonly number[] = [],
  ): Promise<Outcome> {
    // What a failed block passes over is never asked.
    const asks = "text" in statement && this.session.transaction.state !== "E";
    return this.watched(asks ? "question.ask" : "session", async () => {
      if (!asks) await this.#admitted("read");
      return runStatement(statement, values, this.session, this.asking, types);
    });
  }

  notices(texts: readonly string[]): readonly Buffer[] {
    const isQuiet = /^(?:warning|error)$/.test(this.session.settings.value("client_min_messages") ?? "");
    return isQuiet
      ? []
      : texts.map((text) => serverMessage.notice({ S: "NOTICE", V: "NOTICE", C: "00000", M: text }));
  }

  async sendCopy({ answer, options }: Extract<Outcome, { kind: "copy" }>): Promise<void> {
    const { channel } = this.#parts;
    let count = 0;
    await this.send(serverMessage.copyBegins(copyForm(options), answer.columns.length));
    await sendAll(
      channel,
      (function* () {
        for (const { data, rows } of copyRows(answer, options)) {
          count += rows;
          yield serverMessage.copyData(data);
        }
      })(),
    );
    await this.send(serverMessage.copyEnds(), serverMessage.complete(`COPY ${count}`));
  }

  async sendRows({ rows, columns, formats, most }: RowsToSend): Promise<number> {
    let count = 0;
    await sendAll(
      this.#parts.channel,
      rowMessages(rows, columns, formats, most, () => {
        count += 1;
      }),
    );
    return count;
  }

  async #answer(message: ClientMessage): Promise<void> {
    if (message.kind !== "query") return this.#extended.answer(message);
    if (this.#extended.isSkipping) return;
    await this.#query(message.text);
    await this.ready();
  }

  /** Runs the statements of a text, one after the other, up to the first that is refused. */
  async #query(text: string): Promise<void> {
    let statements: ReturnType<typeof statementsOf>;
    try {
      await this.letRead(text);
      statements = statementsOf(text);
    } catch (error) {
      return this.refuse(error, null);
    }
    if (statements.length === 0) await this.send(serverMessage.empty());
    for (const words of statements) {
      let offset = words[0]?.start ?? 0;
      try {
        const statement = await this.readOne(text, words);
        if ("text" in statement) offset = statement.offset;
        await this.#tell(await this.runOne(statement, []));
      } catch (error) {
        return this.refuse(error, { text, offset });
      }
    }
  }

  async #tell(outcome: Outcome): Promise<void> {
    const notices = this.notices(outcome.notices);
    switch (outcome.kind) {
      case "done":
        return this.send(...notices, serverMessage.complete(outcome.tag));
      case "copy":
        await this.send(...notices);
        return this.sendCopy(outcome);
      case "rows": {
        const { columns, rows } = outcome.answer;
        await this.send(...notices, serverMessage.columns(describedAs(columns, [])));
        const all = { rows: rows()[Symbol.iterator](), columns, formats: [], most: 0 };
        const count = await this.sendRows(all);
        return this.send(serverMessage.complete(tagOf(outcome.word, count)));
      }
    }
  }

  /** Waits for a message, but not for ever. */
  async #next(): Promise<ClientMessage | null> {
    const { channel, wire } = this.#parts;
    const { ms, why } = this.#longestIdle();
    const late = setTimeout(() => void this.fatal(why), ms);
    this.#isIdle = true;
    try {
      return await channel.message(wire.mostBytes);
    } finally {
      this.#isIdle = false;
      this.#isReady = false;
      clearTimeout(late);
    }
  }

  /** The time without a message after which the connection ends: the service's, or a shorter one that the client set. */
  #longestIdle(): { readonly ms: number; readonly why: Closing } {
    const { settings, transaction } = this.session;
    const { idleMs } = this.#parts.wire.rules;
    const isInBlock = transaction.state !== "I";
    const stated = this.#isReady
      ? settings.timeout(isInBlock ? "idle_in_transaction_session_timeout" : "idle_session_timeout")
      : null;
    if (isInBlock && stated !== null && stated < idleMs)
      return { ms: stated, why: new Closing("25P03", "the connection was idle within a block for too long") };
    const ms = Math.min(stated ?? idleMs, idleMs);
    return { ms, why: new Closing("57P05", "the connection was idle for too long") };
  }

  /** Draws from the rate of reads what a query took, once that is known: what follows waits for it. */
  #spent(steps: number): void {
    const { address, wire } = this.#parts;
    const spending = wire.admission.spend("read", this.#who, address, steps / stepsOfRead);
    this.#spending = Promise.all([this.#spending, spending]);
    this.#spending.catch(() => undefined);
  }

  /** Waits until all is drawn that was spent. Where that failed one request is refused, and the next begins anew. */
  async #drawn(): Promise<void> {
    const spending = this.#spending;
    this.#spending = Promise.resolve();
    await spending;
  }

  /** Lets a request in, and ends its span before anything is planned. */
  async #admitted(kind: RequestKind): Promise<Principal> {
    const { signedIn, address, wire } = this.#parts;
    return admittedSpan(kind, async () => {
      const who = await signedIn.renew();
      this.#who = who;
      await this.#drawn();
      await wire.admission.admit(kind, who, address);
      return who;
    });
  }
}

function stopping(): Closing {
  return new Closing("57P01", "the service is stopping");
}
