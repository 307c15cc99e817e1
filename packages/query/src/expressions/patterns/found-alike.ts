import { type Automaton, reached, stepped } from "./automaton.ts";
import type { CharacterSet } from "./pattern.ts";

/** The most pairs of states that are looked at. */
const mostPairs = 2000;

/**
 * Whether the part of a text that is found is the same for engines that take the longest one (PostgreSQL) and for those that take the first one in
 * the order of alternatives and greedy repeats (DuckDB's RE2). Both are followed at once, on one character of each kind that the pattern tells
 * apart; they differ where the longest match could end at a place at which the first one has been given up. False, too, where there is too much
 * to follow.
 * @example `a|ab` finds "a" or "ab" in "ab": false; `ab|a` and `ab?` are the same for both: true
 */
export function isFoundAlike(automaton: Automaton): boolean {
  const characters = representatives(automaton);
  const seen = new Set<string>();
  const left: (readonly [first: readonly number[], longest: readonly number[], isStart: boolean])[] = [
    [[automaton.start], [automaton.start], true],
    [[automaton.start], [automaton.start], false],
  ];
  for (let pair = left.pop(); pair; pair = left.pop()) {
    const [first, longest, isStart] = pair;
    const name = JSON.stringify(pair);
    if (seen.has(name)) continue;
    seen.add(name);
    if (seen.size > mostPairs) return false;
    const here = (threads: readonly number[], isEnd: boolean): readonly number[] =>
      reached(automaton, threads, { isStart, isEnd });
    for (const isEnd of [true, false])
      if (here(first, isEnd).includes(0) !== here(longest, isEnd).includes(0)) return false;
    const [ofFirst, ofLongest] = [untilMatch(here(first, false)), here(longest, false)];
    for (const character of characters) {
      const next = stepped(automaton, ofLongest, character);
      if (next.length > 0) left.push([stepped(automaton, ofFirst, character), next, false]);
    }
  }
  return true;
}

/** What a match leaves: nothing behind it is tried. */
function untilMatch(threads: readonly number[]): readonly number[] {
  const match = threads.indexOf(0);
  return match < 0 ? threads : threads.slice(0, match);
}

/** One code point of each kind that the automaton's sets tell apart. */
function representatives({ states }: Automaton): readonly number[] {
  const sets: CharacterSet[] = states.flatMap((state) => (state.kind === "character" ? [state.set] : []));
  const borders = sets.flatMap((set) => set.flatMap(([from, to]) => [from, to + 1]));
  return [...new Set([0, ...borders])].filter((point) => point <= 0x10ffff);
}

/**
 * Whether the group of a pattern has one place in every text that the pattern matches as a whole, so that it does not matter which an engine
 * prefers. Two readings of one text are followed at once; they differ where a character is before, in or behind the group in one of them alone.
 * False, too, where there is too much to follow.
 * @example `^(.*)@(.*)$` has "a@b" or "a" before the last or the first @ of "a@b@c": false; `^([^@]*)@` has one reading: true
 */
export function hasOneGroup(automaton: Automaton): boolean {
  const characters = representatives(automaton);
  const part = (state: number): number =>
    automaton.group.has(state) ? 1 : automaton.before.has(state) ? 0 : 2;
  const seen = new Set<string>();
  const left: (readonly [a: number, b: number, differ: boolean, isStart: boolean])[] = [
    [automaton.start, automaton.start, false, true],
    [automaton.start, automaton.start, false, false],
  ];
  for (let pair = left.pop(); pair; pair = left.pop()) {
    const [a, b, differ, isStart] = pair;
    const name = pair.join();
    if (seen.has(name)) continue;
    seen.add(name);
    if (seen.size > mostPairs * 10) return false;
    const here = (state: number, isEnd: boolean): readonly number[] =>
      reached(automaton, [state], { isStart, isEnd });
    if (differ && [true, false].some((isEnd) => here(a, isEnd).includes(0) && here(b, isEnd).includes(0)))
      return false;
    for (const one of here(a, false))
      for (const other of here(b, false))
        for (const character of characters) {
          const [next] = stepped(automaton, [one], character);
          const [otherNext] = stepped(automaton, [other], character);
          if (next !== undefined && otherNext !== undefined)
            left.push([next, otherNext, differ || part(one) !== part(other), false]);
        }
  }
  return true;
}
