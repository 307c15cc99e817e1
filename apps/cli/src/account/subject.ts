import { type Account, type AccountOptions, account, type Event } from "@lethe/core";

/** What is accounted, in words and as an event, and what its growth is counted in. */
export interface Subject {
  readonly title: string;
  /** Its parameters as a person reads them. */
  readonly details: string;
  readonly event: Event;
  readonly whole: Account;
  readonly growth: Growth;
}

export interface Growth {
  /** "steps", "runs". */
  readonly of: string;
  readonly count: bigint;
  at(count: bigint): Account;
}

/**
 * A repeated event grows by its own count, any other by being run again; `seen` is how it is seen, which holds for the whole at any count.
 * Errors: parameter.invalid, of the event.
 */
export function subjectOf(
  said: { readonly title: string; readonly details: string; readonly of?: string },
  run: Event,
  options: AccountOptions,
  seen: (event: Event) => Event = (event) => event,
): Subject {
  const { title, details, of = "runs" } = said;
  const event = seen(run);
  const whole = account(event, options);
  const [one, count] = run.kind === "repeat" ? [run.event, BigInt(run.count)] : [run, 1n];
  const at = (n: bigint): Account =>
    account(seen({ kind: "repeat", version: 1, count: n.toString(), event: one }), options);
  return { title, details, event, whole, growth: { of, count, at } };
}
