import { type ErrorCode, LetheError } from "@lethe/core";
import type { Service, Waiting } from "@lethe/serve";
import { isForOperators } from "../http/problems/problem.ts";

/** The same words again within this time are not written: nobody fills the owner's log by asking. */
const quietMs = 60_000;

/** Fixes that a running service needs beside those that an error states anywhere. */
const alsoDo: Partial<Record<ErrorCode, string>> = {
  "policy.changed": ". The service read its policy when it started: if file and ledger agree, start it again",
};

/** Returns a service that writes to the owner's log what whoever asks is not told: the errors that only an operator can mend. */
export function tellOwner(service: Service, log: (detail: string) => void, now: () => number): Service {
  let last = { words: "", at: Number.NEGATIVE_INFINITY };
  const tell = (error: unknown): void => {
    if (!isForOperators(error)) return;
    const words =
      error instanceof LetheError
        ? `${error.code}: ${error.message}; ${error.fix}${alsoDo[error.code] ?? ""}`
        : String(error);
    const at = now();
    if (words === last.words && at < last.at + quietMs) return;
    last = { words, at };
    log(`a request of the service was not answered: ${words}`);
  };
  type Call = (...asked: readonly unknown[]) => Promise<unknown>;
  const telling =
    (call: Call): Call =>
    async (...asked) => {
      try {
        return await call(...asked);
      } catch (error) {
        if (!isLeft(error, asked)) tell(error);
        throw error;
      }
    };
  const calls = Object.entries(service) as [string, Call][];
  return Object.fromEntries(calls.map(([name, call]) => [name, telling(call)])) as unknown as Service;
}

/** Whether an error says no more than that whoever asked waits no longer: the reason of their own signal. */
function isLeft(error: unknown, asked: readonly unknown[]): boolean {
  const signal = (asked[2] as Waiting | null | undefined)?.signal;
  return signal?.aborted === true && error === signal.reason;
}
