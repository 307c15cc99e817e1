import { elementAt } from "@lethe/core/numeric";
import { type CharacterSet, includes, type Pattern } from "./pattern.ts";

/** A state of a pattern's automaton; of two next ones a backtracking engine tries `prefer` first. */
export type State =
  | { readonly kind: "character"; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: "either"; prefer: number; readonly or: number }
  | { readonly kind: "end"; readonly at: "start" | "end"; readonly next: number }
  | { readonly kind: "match" };

/** A pattern as a nondeterministic automaton. The state 0 has matched; `start` begins. */
export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  /** The states of the group that is extracted. */
  readonly group: ReadonlySet<number>;
  /** The states in front of the group. */
  readonly before: ReadonlySet<number>;
}

/** Builds the automaton of a pattern, from its end to its start. */
export function automatonOf(pattern: Pattern): Automaton {
  const states: State[] = [{ kind: "match" }];
  let group: readonly [number, number] = [0, 0];
  const added = (state: State): number => states.push(state) - 1;
  const build = (part: Pattern, next: number): number => {
    switch (part.kind) {
      case "class":
        return added({ kind: "character", set: part.set, next });
      case "end":
        return added({ kind: "end", at: part.at, next });
      case "group": {
        const first = states.length;
        const start = build(part.of, next);
        group = [first, states.length];
        return start;
      }
      case "sequence":
        return part.parts.reduceRight((behind, each) => build(each, behind), next);
      case "alternatives": {
        const starts = part.parts.map((each) => build(each, next));
        return starts.reduceRight((or, prefer) => added({ kind: "either", prefer, or }));
      }
      case "repeat": {
        let start = next;
        if (part.most === null) {
          const loop: State = { kind: "either", prefer: 0, or: next };
          start = added(loop);
          loop.prefer = build(part.of, start);
        } else
          for (let left = part.most - part.least; left > 0; left -= 1)
            start = added({ kind: "either", prefer: build(part.of, start), or: next });
        for (let left = part.least; left > 0; left -= 1) start = build(part.of, start);
        return start;
      }
    }
  };
  const start = build(pattern, 0);
  const between = (first: number, end: number): ReadonlySet<number> =>
    new Set(Array.from({ length: end - first }, (_, at) => first + at));
  return {
    states,
    start,
    group: between(...group),
    before: group[1] === 0 ? new Set() : between(group[1], states.length),
  };
}

/** Where in a text a thread stands. */
export interface Place {
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** Returns the states that are reached without a character, in the order in which a backtracking engine would try them. */
export function reached({ states }: Automaton, from: readonly number[], place: Place): readonly number[] {
  const found: number[] = [];
  const seen = new Set<number>();
  const left = [...from].reverse();
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const state = elementAt(states, at);
    if (state.kind === "either") left.push(state.or, state.prefer);
    else if (state.kind !== "end") found.push(at);
    else if (state.at === "start" ? place.isStart : place.isEnd) left.push(state.next);
  }
  return found;
}

/** Returns the states behind a character. */
export function stepped({ states }: Automaton, from: readonly number[], point: number): readonly number[] {
  return from.flatMap((at) => {
    const state = elementAt(states, at);
    return state.kind === "character" && includes(state.set, point) ? [state.next] : [];
  });
}

const isMatch = (reachedStates: readonly number[]): boolean => reachedStates.includes(0);

/** Whether a pattern matches some part of a text. */
export function matchesSomewhere(automaton: Automaton, letters: readonly string[]): boolean {
  let threads: readonly number[] = [];
  for (let at = 0; at <= letters.length; at += 1) {
    const place = { isStart: at === 0, isEnd: at === letters.length };
    const here = reached(automaton, [...threads, automaton.start], place);
    if (isMatch(here)) return true;
    if (at < letters.length) threads = stepped(automaton, here, elementAt(letters, at).codePointAt(0) ?? 0);
  }
  return false;
}

/** Returns the first and longest part that a pattern matches, from a place on; null where there is none. */
export function firstMatch(
  automaton: Automaton,
  letters: readonly string[],
  from: number,
): readonly [number, number] | null {
  for (let start = from; start <= letters.length; start += 1) {
    let threads: readonly number[] = [automaton.start];
    let end: number | null = null;
    for (let at = start; at <= letters.length && threads.length > 0; at += 1) {
      const here = reached(automaton, threads, { isStart: at === 0, isEnd: at === letters.length });
      if (isMatch(here)) end = at;
      threads =
        at < letters.length ? stepped(automaton, here, elementAt(letters, at).codePointAt(0) ?? 0) : [];
    }
    if (end !== null) return [start, end];
  }
  return null;
}

/**
 * Returns the places in a match that the group takes: those of its characters. The match is one that the pattern has, and the group's place in it is
 * the only one.
 */
export function groupWithin(
  automaton: Automaton,
  letters: readonly string[],
  [start, end]: readonly [number, number],
): readonly [number, number] {
  // alive[i]: the states, each before a character, from which the rest of the match can be read.
  const alive: number[][] = [];
  let reachedNow: readonly number[] = [automaton.start];
  for (let at = start; at <= end; at += 1) {
    const here = reached(automaton, reachedNow, { isStart: at === 0, isEnd: at === letters.length });
    alive.push([...here]);
    if (at < end) reachedNow = stepped(automaton, here, elementAt(letters, at).codePointAt(0) ?? 0);
  }
  let due: readonly number[] = [0];
  const inGroup: number[] = [];
  let before = 0;
  for (let at = end - 1; at >= start; at -= 1) {
    const place = { isStart: at + 1 === 0, isEnd: at + 1 === letters.length };
    const point = elementAt(letters, at).codePointAt(0) ?? 0;
    due = elementAt(alive, at - start).filter((state) =>
      reached(automaton, stepped(automaton, [state], point), place).some((next) => due.includes(next)),
    );
    if (due.some((state) => automaton.group.has(state))) inGroup.push(at);
    else if (due.some((state) => automaton.before.has(state))) before += 1;
  }
  const from = start + before;
  return [from, from + inGroup.length];
}
