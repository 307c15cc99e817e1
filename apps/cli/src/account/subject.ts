import { type Account, type AccountOptions, account, type Event } from "@lethe/core";

/** The subject of an account, in words and as an event, and the unit in which its growth is counted. */
export interface Subject {
  readonly title: string;
  /** The subject's parameters as a person reads them. */
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
 * Returns the account of a run. A repeated event grows by its own count, any other by being run again; `seen` is how the event is seen, which holds
 * for the whole at any count.
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
