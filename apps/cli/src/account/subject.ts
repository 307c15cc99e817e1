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

/** A repeated event grows by its own count, any other by being run again. Errors: parameter.invalid, of the event. */
export function subjectOf(
  said: { readonly title: string; readonly details: string; readonly of?: string },
  event: Event,
  options: AccountOptions,
): Subject {
  const { title, details, of = "runs" } = said;
  const whole = account(event, options);
  const [one, count] =
    event.kind === "repeat" ? [account(event.event, options), BigInt(event.count)] : [whole, 1n];
  return { title, details, event, whole, growth: { of, count, at: (n) => one.power(n) } };
}
