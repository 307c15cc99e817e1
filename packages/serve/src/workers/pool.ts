import { invalidParameter, LetheError } from "@lethe/core";
import { errorFromText, errorToText, type FromWorker, type ToWorker, toBody } from "./messages.ts";

/** A worker as its pool sees it. An app makes it of a thread or a process. */
export interface PoolWorker {
  post(message: ToWorker): void;
}

/** What a pool is told by one of its workers. */
export interface WorkerEvents {
  readonly message: (message: FromWorker) => void;
  /** It is gone, whatever the reason: also where it never began. Told once. */
  readonly exit: () => void;
}

export type StartWorker = (events: WorkerEvents) => PoolWorker;

/** One job: JSON, and what answers the calls that it makes. */
export interface Job {
  readonly body: unknown;
  /** Whether it may read rows, and so take long: one worker at least is kept for those that do not. */
  readonly readsRows: boolean;
  /** Answers a call of the job: JSON both. */
  readonly answer: (call: unknown) => Promise<unknown>;
}

export interface PoolOptions {
  readonly start: StartWorker;
  /** The workers, 1 or more. With two or more, one of them does no job that reads rows. */
  readonly size: number;
  /** The most jobs that wait for a worker. */
  readonly queue: number;
}

/** Workers that do jobs, each one at a time. */
export interface Pool {
  /**
   * Does a job, and resolves with what it gives. Errors: those of the job; serve.busy where too many wait, or the pool is closing; serve.worker where the worker died, which is replaced.
   */
  run(job: Job): Promise<unknown>;
  /** Resolves when a worker is ready; the others follow. Errors: serve.worker where one ends before. */
  ready(): Promise<void>;
  /** Names what the workers opened; it changes where one of them opened something else than those before. */
  readonly stamp: string;
  /** Takes no more jobs, lets the running and waiting ones end, and ends the workers. */
  close(): Promise<void>;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: LetheError) => void;
}

interface Member {
  worker: PoolWorker;
  state: "starting" | "idle" | "busy" | "gone";
  doing: Waiting | null;
}

/** Starts the workers of a pool. Errors: parameter.invalid. */
export function startPool(options: PoolOptions): Pool {
  for (const name of ["size", "queue"] as const)
    if (!(Number.isSafeInteger(options[name]) && options[name] >= 1))
      throw invalidParameter(`the pool's ${name}`, options[name], "a whole number ≥ 1");
  return new WorkerPool(options);
}

class WorkerPool implements Pool {
  stamp = "";
  readonly #options: PoolOptions;
  readonly #members = new Set<Member>();
  readonly #queue: Waiting[] = [];
  #isClosing = false;
  #whenReady: { readonly resolve: () => void; readonly reject: (error: LetheError) => void }[] = [];
  #whenEmpty: (() => void)[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#fill();
  }

  run(job: Job): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing) return reject(stopping());
      if (this.#queue.length >= this.#options.queue) return reject(busy());
      this.#queue.push({ job, resolve, reject });
      this.#fill();
      this.#hand();
    });
  }

  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#whenReady.push({ resolve, reject });
      this.#tellReady();
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#endIdle();
    if (this.#members.size > 0) await new Promise<void>((resolve) => void this.#whenEmpty.push(resolve));
  }

  /**
   * Starts workers for those that are gone: one alone until one is ready, so that the first question waits for no thread that it does not need. One that
   * never was ready is replaced when somebody asks again, so that a fault at its start makes no storm.
   */
  #fill(): void {
    const { size } = this.#options;
    const most = [...this.#members].some(({ state }) => state !== "starting") ? size : 1;
    while (!this.#isClosing && this.#members.size < most) this.#start();
  }

  #start(): void {
    const member: Member = { worker: nobody, state: "starting", doing: null };
    this.#members.add(member);
    member.worker = this.#options.start({
      message: (message) => this.#hear(member, message),
      exit: () => this.#lose(member),
    });
  }

  #hear(member: Member, message: FromWorker): void {
    if (member.state === "gone") return;
    switch (message.kind) {
      case "ready":
        if (member.state !== "starting") return;
        this.stamp = message.stamp;
        this.#free(member);
        this.#fill();
        this.#tellReady();
        break;
      case "call":
        void this.#answer(member, message.call, message.body);
        break;
      case "done":
        this.#finish(member)?.resolve(JSON.parse(message.body));
        break;
      case "refused":
        this.#finish(member)?.reject(errorFromText(message.error));
        break;
    }
  }

  async #answer(member: Member, call: number, body: string): Promise<void> {
    const { doing } = member;
    if (doing === null) return;
    const reply = await doing.job.answer(JSON.parse(body)).then(
      (value): ToWorker => ({ kind: "reply", call, body: toBody(value) }),
      (error): ToWorker => ({ kind: "refusal", call, error: errorToText(error) }),
    );
    if (member.state !== "gone") member.worker.post(reply);
  }

  #finish(member: Member): Waiting | null {
    const { doing } = member;
    if (doing !== null) this.#free(member);
    return doing;
  }

  #free(member: Member): void {
    member.state = "idle";
    member.doing = null;
    this.#hand();
    if (this.#isClosing) this.#endIdle();
  }

  #lose(member: Member): void {
    if (member.state === "gone") return;
    const { state, doing } = member;
    member.state = "gone";
    this.#members.delete(member);
    doing?.reject(lost());
    if (state === "starting") {
      for (const { reject } of this.#whenReady.splice(0)) reject(lost());
      // Where no worker is left that could begin, nobody waits for one.
      if (this.#members.size === 0) for (const { reject } of this.#queue.splice(0)) reject(lost());
    } else this.#fill();
    this.#hand();
    if (this.#isClosing) this.#endIdle();
  }

  /** Hands waiting jobs to idle workers, the oldest first; a job that reads rows waits where the last free worker is kept for others. */
  #hand(): void {
    for (let at = 0; at < this.#queue.length; ) {
      const idle = [...this.#members].find(({ state }) => state === "idle");
      if (!idle) return;
      const next = this.#queue[at];
      if (!next) return;
      if (next.job.readsRows && !this.#mayReadRows()) at += 1;
      else {
        this.#queue.splice(at, 1);
        idle.state = "busy";
        idle.doing = next;
        idle.worker.post({ kind: "job", body: toBody(next.job.body) });
      }
    }
  }

  #mayReadRows(): boolean {
    const { size } = this.#options;
    const reading = [...this.#members].filter(({ doing }) => doing?.job.readsRows === true).length;
    return size === 1 || reading < size - 1;
  }

  #endIdle(): void {
    if (this.#queue.length === 0)
      // One that is starting ends once it is ready. A thread that is ended while it loads native code takes the process with it, so a pool ends none.
      for (const member of this.#members)
        if (member.state === "idle") {
          member.state = "busy";
          member.worker.post({ kind: "close" });
        }
    if (this.#members.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  #tellReady(): void {
    if ([...this.#members].some(({ state }) => state !== "starting"))
      for (const { resolve } of this.#whenReady.splice(0)) resolve();
  }
}

const nobody: PoolWorker = { post: () => undefined };

/** Whether an error says that a worker died under its job. */
export function isLost(error: unknown): boolean {
  return error instanceof LetheError && error.code === "serve.worker";
}

function lost(): LetheError {
  return new LetheError("serve.worker", "the worker that had this question ended before it was done", {
    fix: "ask again: nothing was charged",
  });
}

function busy(): LetheError {
  return new LetheError("serve.busy", "too many questions are waiting", { fix: "ask again in a moment" });
}

function stopping(): LetheError {
  return new LetheError("serve.busy", "the service is stopping", { fix: "ask again when it is back" });
}
