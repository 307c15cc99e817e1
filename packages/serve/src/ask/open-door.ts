import { invalidParameter, LetheError } from "@lethe/core";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import {
  dayAt,
  type Explained,
  optionsToText,
  type Release,
  type Schedule,
  type SeenStanding,
  type StoodBefore,
  stillStanding,
} from "@lethe/gateway";
import {
  type ChargeReport,
  type Ledger,
  type LedgerCall,
  ledgerWith,
  lendLedger,
  type ShareRequest,
} from "@lethe/ledger";
import {
  asksToExplain,
  describeTables,
  type Policy,
  type QuestionDescription,
  type TableDescription,
} from "@lethe/query";
import { failedAtSlot, onSchedule } from "../schedule/on-schedule.ts";
import type { Timer } from "../schedule/timer.ts";
import { isLost, type Pool } from "../workers/pool.ts";
import type { AskJob, QuestionText } from "./ask-job.ts";
import type { Asker, AskOutcome, AskRequest, Waiting } from "./asker.ts";
import { cappedLedger } from "./capped-ledger.ts";
import { heldLedger } from "./held-ledger.ts";
import { type Journeys, ownJourneys } from "./journeys.ts";
import { RecentValues } from "./recent-values.ts";
import { requestIdOfKey } from "./request-id-of-key.ts";
import { type RequestState, requestState } from "./request-state.ts";
import { RequestsUnderWay, Waiters } from "./requests-under-way.ts";
import { ToldCharges } from "./told-charges.ts";
import { waitFor } from "./wait-for.ts";

/** What the door is made of; an app opens each part, and closes it after the door. */
export interface DoorParts {
  readonly policy: Policy;
  /** Lies in this thread: a charge is durable before a worker is told that it may run. */
  readonly ledger: Ledger;
  readonly pool: Pool;
  readonly timer: Timer;
  /** Returns the random ids by which the owner last declared the data of tables as changed, by table. */
  readonly declared: () => Readonly<Record<string, string>>;
  /** Names the imports that are in force, where workers look for them at each question; left out where workers read what they opened, as the pool's stamp says. */
  readonly imports?: () => string;
  /** Returns a random name that was never given before, for a request that has no other. */
  readonly newId: () => string;
  /** The journeys of all processes of the service; those of this one alone unless stated. */
  readonly journeys?: Journeys;
  /** The places of answers that stood, and of explanations no more than 250, that are kept in memory: 4096 unless stated. */
  readonly kept?: number;
}

/** Counts of what was asked, for metrics: functions of requests and their plans, and never of data. */
export interface DoorCounts {
  readonly asks: number;
  readonly explains: number;
  /** The asks that joined one in flight. */
  readonly shared: number;
  /** The charges that a release schedule gave a slot. */
  readonly slots: number;
}

/** The one door to ask, for every protocol. It does no more than ask: whoever comes through it has a name, and is charged under it. */
export interface Door {
  /**
   * Answers whatever a text asks, as whoever asks it. The question is planned in a worker; its charge is durable before that worker is told to run it; its bytes are durable before any of them leaves.
   * The same question of the same data costs nothing, and identical requests in flight are one. Errors: coded refusals, never a value of the data; serve.busy, serve.cap; serve.worker before
   * a charge, and engine.failed after one; the signal's reason.
   */
  ask(who: Asker, request: AskRequest, waiting?: Waiting): Promise<AskOutcome>;
  /** Explains a question as whoever asks it, at no price: plan, price, expected errors, and what they would be given for nothing. Errors: those of the question. */
  explain(who: Asker, request: Pick<AskRequest, "text" | "options">, waiting?: Waiting): Promise<Explained>;
  /** Returns the columns of a question's answer and the types of its parameters, which need no values, at no price. */
  describe(who: Asker, text: string, waiting?: Waiting): Promise<QuestionDescription>;
  /** Returns what the policy lets one ask. */
  tables(who: Asker): Promise<readonly TableDescription[]>;
  /** Serves an answer of another to whoever asks, whose own caps pay for it once. Errors: those of `Ledger.share`; serve.cap. */
  receive(who: Asker, given: Omit<ShareRequest, "to">): Promise<string>;
  /** Whether a request was charged and its journey goes on, here or at another process of the service: until that ends nothing is told of its answer. Whoever asks it of an answer reads the answer first. */
  isUnderWay(principal: string, requestId: string): Promise<boolean>;
  /** Returns the state of a charge as its principal may know it. */
  stateOf(charge: ChargeReport): Promise<RequestState>;
  /** Lets whoever waits for a request wait no longer. The charge stands, the journey goes on, and the engine is not told: whether it was still running would depend on the data. */
  stopWaiting(principal: string, requestId: string): void;
  readonly counts: DoorCounts;
}

/** Whole answers and explanations are some ten kB each, and places of answers are not. */
const mostShown = 100;
const mostExplained = 250;
/** Questions of more characters are explained anew each time, and keys of more are hashed: a question may be as long as a request. */
const longestKept = 4_096;
const longestKey = 1_024;

/** Opens the door over its parts. */
export function openDoor(parts: DoorParts): Door {
  return new AskDoor(parts);
}

/** An answer that stood for a question, and the names of its columns as that question calls them. */
interface Stood extends StoodBefore {
  readonly columns: readonly string[];
}

class AskDoor implements Door {
  readonly counts = { asks: 0, explains: 0, shared: 0, slots: 0 };
  readonly #parts: DoorParts;
  readonly #schedule: Schedule | null;
  readonly #journeys: Journeys;
  #tables: Promise<readonly TableDescription[]> | null = null;
  /** Requests in flight, by what is asked and who asks it. */
  readonly #flights = new Map<string, Flight>();
  readonly #open = new RequestsUnderWay();
  readonly #explaining = new Map<string, Promise<Explained>>();
  readonly #explained: RecentValues<Explained>;
  readonly #stood: RecentValues<Stood>;
  /** The answers that were shown again last, and what they were read from. */
  readonly #shown = new RecentValues<{ readonly seen: SeenStanding; readonly outcome: AskOutcome }>(
    mostShown,
  );
  /** The ids of requests that were charged and whose answer nobody has got: asked again, they go on. */
  readonly #owed: RecentValues<string>;
  /** How often a principal's releases may have changed: what was told to them before is not told again. */
  readonly #revisions = new Map<string, number>();

  constructor(parts: DoorParts) {
    const { policy, kept = 4096 } = parts;
    this.#parts = parts;
    this.#schedule = policy.releaseSchedule === undefined ? null : { each: policy.releaseSchedule };
    this.#journeys = parts.journeys ?? ownJourneys;
    this.#journeys.onStop((isMeant) => this.#open.stopAll(isMeant));
    this.#explained = new RecentValues(Math.min(kept, mostExplained));
    this.#stood = new RecentValues(kept);
    this.#owed = new RecentValues(kept);
  }

  async ask(who: Asker, request: AskRequest, waiting: Waiting = {}): Promise<AskOutcome> {
    const { charged } = waiting;
    this.counts.asks += 1;
    requireKey(request);
    await this.#journeys.requirePolicy();
    if (asksToExplain(request.text)) {
      const explanation = await this.#explain(who, request, waiting);
      return { answer: { kind: "explanation", explanation }, notices: [] };
    }
    const named = this.#named(who, request);
    const stood = await this.#stillStanding(named, who);
    if (stood !== null) return stood;
    const key = canonicalJson({ ...named.identity, cap: capOf(who) });
    const flying = this.#flights.get(key);
    if (flying) this.counts.shared += 1;
    const flight = flying ?? this.#begin(key, who, named, charged);
    if (flying && charged) await flying.tells.join(charged);
    const outcome = await Promise.race([waitFor(flight.outcome, waiting.signal), flight.waiters.stopped]);
    this.#owed.delete(named.key);
    return outcome;
  }

  async explain(
    who: Asker,
    request: Pick<AskRequest, "text" | "options">,
    waiting: Waiting = {},
  ): Promise<Explained> {
    this.counts.explains += 1;
    return this.#explain(who, request, waiting);
  }

  async describe(_who: Asker, text: string, { signal }: Waiting = {}): Promise<QuestionDescription> {
    const job: AskJob = { kind: "describe", text };
    return (await waitFor(this.#free(job, null), signal)) as QuestionDescription;
  }

  tables(_who: Asker): Promise<readonly TableDescription[]> {
    // The policy does not change while it is served.
    this.#tables ??= describeTables(this.#parts.policy);
    return this.#tables;
  }

  receive({ principal, ...who }: Asker, given: Omit<ShareRequest, "to">): Promise<string> {
    const { ledger, policy } = this.#parts;
    return cappedLedger(ledger, who.maxEpsilonPerQuestion ?? null, policy).share({ ...given, to: principal });
  }

  async isUnderWay(principal: string, requestId: string): Promise<boolean> {
    return this.#open.has(principal, requestId) || this.#journeys.isUnderWay({ principal, requestId });
  }

  async stateOf(charge: ChargeReport): Promise<RequestState> {
    const isOpen = charge.sharedBy === null && (await this.isUnderWay(charge.principal, charge.requestId));
    return requestState(charge, { isOpen, isScheduled: this.#schedule !== null });
  }

  stopWaiting(principal: string, requestId: string): void {
    this.#open.stop(principal, requestId);
    this.#journeys.stopWaiting({ principal, requestId });
  }

  /** The question of a request, under all that decides whether another one is the same. */
  #named({ principal }: Asker, { text, options, repeats = "earlier", idempotencyKey }: AskRequest): Named {
    const { declared, imports = () => "", pool, timer } = this.#parts;
    const asked = optionsToText({ ...options, today: options.today ?? dayAt(timer.now()) });
    const versions = declared();
    const how = idempotencyKey === undefined ? { repeats } : { idempotencyKey };
    const read = { declared: versions, stamp: pool.stamp, imports: imports() };
    const identity = { principal, text, options: asked, ...read, ...how };
    const requestId = idempotencyKey === undefined ? null : requestIdOfKey(principal, idempotencyKey);
    const question = { text, principal, options: asked, ...(requestId === null ? { repeats } : {}) };
    const key = shortKey(canonicalJson(identity));
    return { identity, key, question, requestId, declared: versions, repeats };
  }

  /** Returns the answer that stood for the question when it was last asked, where it still does: no worker is needed. */
  async #stillStanding(
    { key, repeats, requestId, question }: Named,
    { principal }: Asker,
  ): Promise<AskOutcome | null> {
    const { ledger, timer } = this.#parts;
    if (repeats !== "earlier" || requestId !== null) return null;
    const stood = this.#stood.get(key);
    if (!stood) return null;
    const { project = null } = question.options;
    const shown = this.#shown.get(key);
    const house = { ledger, clock: timer.now };
    const seen = await stillStanding(stood, { principal, project }, house, shown?.seen);
    if (seen === null) {
      this.#stood.delete(key);
      return null;
    }
    if (shown?.seen === seen) return shown.outcome;
    if (shown?.seen.release === seen.release) {
      this.#shown.set(key, { seen, outcome: shown.outcome });
      return shown.outcome;
    }
    const { asOf, columns } = stood;
    const release: Release = JSON.parse(seen.release);
    const standing = { columns, validFor: stood.validFor };
    const answer = { kind: "release", release, repeat: { asOf, columns }, standing } as const;
    const outcome: AskOutcome = { answer, notices: [] };
    this.#shown.set(key, { seen, outcome });
    return outcome;
  }

  #begin(key: string, who: Asker, named: Named, charged: Waiting["charged"]): Flight {
    const tells = new ToldCharges(charged);
    const waiters = new Waiters();
    const outcome = this.#fly(who, named, { tells, waiters }).finally(() => {
      this.#flights.delete(key);
      this.#open.end(waiters);
    });
    outcome.catch(() => undefined);
    const flight = { outcome, tells, waiters };
    this.#flights.set(key, flight);
    return flight;
  }

  /** One journey, for all who ask the same at once. */
  async #fly(
    who: Asker,
    named: Named,
    { tells, waiters }: Pick<Flight, "tells" | "waiters">,
  ): Promise<AskOutcome> {
    const { pool, ledger, policy, timer, newId } = this.#parts;
    const { principal } = who;
    const requestId = named.requestId ?? this.#owed.get(named.key) ?? newId();
    const job: AskJob = {
      kind: "ask",
      question: { ...named.question, requestId },
      declared: named.declared,
      schedule: this.#schedule,
    };
    const held = heldLedger(this.#untilSlots(ledger), this.#journeys, this.#schedule);
    const capped = cappedLedger(held.ledger, who.maxEpsilonPerQuestion ?? null, policy);
    const watched = ledgerWith(capped, {
      reserve: async (request) => {
        const reserved = await capped.reserve(request);
        if (reserved.kind === "charged") {
          this.#owed.set(named.key, requestId);
          if (this.#schedule !== null && !reserved.resumed) this.counts.slots += 1;
          this.#open.begin(principal, reserved.charge.requestId, waiters);
          await tells.tell(reserved);
        }
        return reserved;
      },
    });
    try {
      const outcome = await onSchedule(
        async (scheduled) => {
          const lent = lendLedger(scheduled, principal);
          try {
            const answer = (call: unknown): Promise<unknown> => lent.answer(call as LedgerCall);
            return (await pool.run({ body: job, readsRows: true, answer })) as AskOutcome;
          } catch (error) {
            if (!isLost(error)) throw error;
            // Whether it died of time, memory or a value may depend on the data, once it was told to run.
            throw (await lent.abandon()) ? failedAtSlot() : error;
          }
        },
        watched,
        this.#schedule,
        timer,
      );
      this.#keep(named, outcome);
      return outcome;
    } finally {
      await held.end();
      this.#revisions.set(principal, this.#revisionOf(principal) + 1);
    }
  }

  /** Keeps where an answer stands. The first answer to a question stands by itself; where there are several, what is shown follows from all of them, so that it must have been shown once. */
  #keep({ key, requestId, repeats }: Named, { answer }: AskOutcome): void {
    if (requestId !== null || repeats !== "earlier" || answer.kind !== "release") return;
    const { release, repeat, standing } = answer;
    const { requestId: id, at } = release.certificate;
    if (standing && (repeat !== null || id.endsWith("-1")))
      this.#stood.set(key, { requestId: id, asOf: repeat?.asOf ?? at, ...standing });
  }

  async #explain(
    who: Asker,
    { text, options }: Pick<AskRequest, "text" | "options">,
    waiting: Waiting,
  ): Promise<Explained> {
    const { policy } = this.#parts;
    const { principal } = who;
    const { key: asked, question, declared } = this.#named(who, { text, options });
    const key = `${this.#revisionOf(principal)} ${asked}`;
    const known = this.#explained.get(key);
    if (known) return known;
    const job: AskJob = { kind: "explain", question: { ...question, requestId: "" }, declared };
    const running = this.#explaining.get(key) ?? this.#explainAnew(key, job, principal);
    const explained = await waitFor(running, waiting.signal);
    // An earlier answer that stands for a period alone may be over the next time.
    const isLasting = policy.answersValid === undefined || explained.earlier === null;
    if (isLasting && text.length <= longestKept) this.#explained.set(key, explained);
    return explained;
  }

  #explainAnew(key: string, job: AskJob, principal: string): Promise<Explained> {
    const running = (this.#free(job, principal) as Promise<Explained>).finally(() =>
      this.#explaining.delete(key),
    );
    this.#explaining.set(key, running);
    running.catch(() => undefined);
    return running;
  }

  /** Runs a job that charges nothing; its ledger, where it has a principal, can be looked at alone. */
  #free(job: AskJob, principal: string | null): Promise<unknown> {
    const { pool, ledger } = this.#parts;
    const refused = (): Promise<never> => Promise.reject(chargesNothing());
    const looked = ledgerWith(this.#untilSlots(ledger), { reserve: refused });
    const lent = principal === null ? null : lendLedger(looked, principal);
    const answer = (call: unknown): Promise<unknown> => (lent ? lent.answer(call as LedgerCall) : refused());
    return pool.run({ body: job, readsRows: false, answer });
  }

  /**
   * The ledger as journeys see it. Under a release schedule an answer is settled before its slot: until then it is not there for another spelling of the question, for an explanation or for an answer that is made of it, and whoever
   * asks for its request waits.
   */
  #untilSlots(ledger: Ledger): Ledger {
    if (this.#schedule === null) return ledger;
    return ledgerWith(ledger, {
      settled: async (requestId, principal) => {
        const settled = await ledger.settled(requestId, principal);
        return settled !== null && (await this.isUnderWay(principal, requestId)) ? null : settled;
      },
      reserve: async (request) => {
        await this.#open.ended(request.principal, request.requestId);
        return ledger.reserve(request);
      },
    });
  }

  #revisionOf(principal: string): number {
    return this.#revisions.get(principal) ?? 0;
  }
}

/** A journey that is under way, and its charges so far. */
interface Flight {
  readonly outcome: Promise<AskOutcome>;
  readonly tells: ToldCharges;
  readonly waiters: Waiters;
}

interface Named {
  readonly identity: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly question: Omit<QuestionText, "requestId">;
  /** The id that the client's key stands for; null where it gave none. */
  readonly requestId: string | null;
  readonly declared: Readonly<Record<string, string>>;
  readonly repeats: NonNullable<AskRequest["repeats"]>;
}

/** Returns a key itself, or the hash of one that is long. */
function shortKey(key: string): string {
  return key.length <= longestKey ? key : sha256(key);
}

function capOf({ maxEpsilonPerQuestion: cap = null }: Asker): string | null {
  return cap === null ? null : `${cap.num}/${cap.den}`;
}

/** Errors: parameter.invalid for a key that is none, or stands beside another word on repeats. */
function requireKey({ idempotencyKey, repeats }: AskRequest): void {
  if (idempotencyKey === undefined) return;
  if (!(idempotencyKey.length >= 1 && idempotencyKey.length <= 255))
    throw invalidParameter("the idempotency key", idempotencyKey, "1 to 255 characters");
  if (repeats !== undefined)
    throw invalidParameter(
      "repeats",
      repeats,
      "left out beside an idempotency key, which names its own answer",
    );
}

function chargesNothing(): LetheError {
  return new LetheError("internal.invariant", "what is free asked for a charge", {
    fix: "report this with the question asked",
  });
}
