import { type Event, price, type Rational, toDecimal } from "@lethe/core";
import { compare } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import type { Ending, Runner } from "./run.ts";
import { type AuditedFunction, runHere } from "./run-here.ts";
import { type FunctionAt, runInWorker } from "./run-in-worker.ts";
import { Recording, Replaying } from "./tape-of-calls.ts";

/** A fault that replay shows, and where. */
export interface ReplayFinding {
  /** The pair's place in the list; null where the finding belongs to no one pair. */
  readonly pair: number | null;
  readonly what: string;
}

export interface ReplayReport {
  readonly findings: readonly ReplayFinding[];
  /** The number of runs that were replayed, and the number of calls of mechanisms that they made. */
  readonly runs: number;
  readonly calls: number;
  /** The number of these calls that had other inputs on the neighbour. Where it is 0, the data that were handed in did not matter. */
  readonly moved: number;
  /** The event of all calls of the last run that returned; null where none did. */
  readonly event: Event | null;
}

export interface AuditOptions {
  /** The seed of the coins; 1 unless stated. */
  readonly seed?: number;
  /** Recordings of each data set; 4 unless stated. */
  readonly rounds?: number;
  /** A run that takes longer hangs; 10,000 ms unless stated. */
  readonly limitMs?: number;
  /** A run that calls mechanisms more often hangs; 10,000 unless stated. */
  readonly mostCalls?: number;
  /** The ε that the function claims to cost as pure DP; unless stated nothing is claimed. */
  readonly epsilon?: Rational;
}

/**
 * Grey box: runs a function on each data set, recording every call of a mechanism, and again on its neighbour with the same outputs
 * frozen. Another path, other parameters, another price, another result, or inputs farther apart than declared is a finding; so is a function that
 * throws, hangs, answers the same coins differently or returns what is not plain data. No finding is not a proof: it speaks of the pairs that
 * were given and of what is returned, and a cache of the function's own, kept from run to run, hides what it holds: see {@link auditModule}.
 * Source: "Privacy in Theory, Bugs in Practice", arXiv 2602.17454.
 * @example (await audit((rows, dp) => dp.addNoise([BigInt(rows.length)], noise, { l1: 1n, l2Squared: 1n }), [[[], [1]]])).findings // => []
 */
export function audit<D>(
  audited: AuditedFunction<D>,
  neighbours: readonly (readonly [D, D])[],
  options: AuditOptions = {},
): Promise<ReplayReport> {
  return replay(runHere(audited, options.limitMs ?? 10_000), neighbours, options);
}

/** {@link audit} of a module's function, each run in a new thread that is ended at the time limit, wherever it is. */
export function auditModule(
  at: FunctionAt,
  neighbours: readonly (readonly [unknown, unknown])[],
  options: AuditOptions = {},
): Promise<ReplayReport> {
  return replay(runInWorker(at, options.limitMs ?? 10_000), neighbours, options);
}

/** The findings on a run that returns nothing to compare: where it always ends so, and where it does on one of two data sets. */
const said = {
  threw: { always: "throws", once: "throws on one neighbour and not on the other" },
  missing: {
    always: "is no function that its file exports",
    once: "is there on one neighbour and not on the other",
  },
  hung: { always: "does not end", once: "ends on one neighbour and not on the other" },
  opaque: {
    always: "returns what is not plain data, so nobody can see all of it",
    once: "returns plain data on one neighbour and not on the other",
  },
} as const;

async function replay(
  run: Runner,
  neighbours: readonly (readonly [unknown, unknown])[],
  { seed = 1, rounds = 4, mostCalls = 10_000, epsilon }: AuditOptions,
): Promise<ReplayReport> {
  const findings = new Map<string, ReplayFinding>();
  const find = (pair: number | null, what: string): void =>
    void findings.set(`${pair} ${what}`, { pair, what });
  let [runs, calls, moved] = [0, 0, 0];
  let dearest: Event | null = null;
  for (const [pair, sides] of neighbours.entries()) {
    everyRound: for (let round = 0; round < rounds; round += 1) {
      for (const [data, neighbour] of [sides, [sides[1], sides[0]]] as const) {
        const recording = new Recording(new SeededSource(seed + 7919 * round + 104_729 * pair), mostCalls);
        const first = await run(data, recording);
        runs += 1;
        calls += recording.calls.length;
        if (first.ended !== "returned") {
          find(pair, said[first.ended].always);
          break everyRound; // it would only do so again
        }
        dearest = { kind: "compose", version: 1, events: recording.calls.map(({ call }) => call.event) };
        for (const what of await differences(run, data, first, new Replaying(recording)))
          find(pair, `not a function of its data and coins: ${what}`);
        const replaying = new Replaying(recording);
        for (const what of await differences(run, neighbour, first, replaying)) find(pair, what);
        moved += replaying.moved;
        if (epsilon !== undefined) for (const what of overpriced(dearest, epsilon)) find(null, what);
      }
    }
  }
  return { findings: [...findings.values()], runs, calls, moved, event: dearest };
}

async function differences(
  run: Runner,
  data: unknown,
  first: Ending,
  replaying: Replaying,
): Promise<string[]> {
  const again = await run(data, replaying);
  if (replaying.differences.length > 0 && again.ended !== "returned") return replaying.differences;
  if (again.ended !== "returned") return [...replaying.differences, said[again.ended].once];
  replaying.finish();
  const same = first.ended === "returned" && first.result === again.result;
  return [
    ...replaying.differences,
    ...(same
      ? []
      : ["returns something else on the same outputs: data leave by another way than the mechanisms"]),
  ];
}

function overpriced(event: Event, claimed: Rational): string[] {
  if (event.kind === "compose" && event.events.length === 0) return [];
  try {
    const loss = price(event, { measure: "pure" });
    if (loss.measure !== "pure") return ["its calls have no pure price"];
    return compare(loss.epsilon, claimed) > 0
      ? [`costs ε = ${toDecimal(loss.epsilon, "up", 4)}, claims ${toDecimal(claimed, "up", 4)}`]
      : [];
  } catch {
    return ["its calls have no pure price"];
  }
}
