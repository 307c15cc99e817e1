import type { Budget } from "../evaluate/budget.ts";
import { type Instruction, isWord, type PatternProgram, patternProgram } from "./pattern-program.ts";

/** Where a pattern matches: the begin and the end of the whole, and of each group; -1 of a group that takes no part. */
export type Match = readonly number[];

/** The patterns of one execution, which are read once. */
const programs = new WeakMap<Budget, Map<string, PatternProgram>>();

function programOf(pattern: string, ignoresCase: boolean, budget: Budget): PatternProgram {
  const own = programs.get(budget) ?? new Map<string, PatternProgram>();
  programs.set(budget, own);
  const key = `${ignoresCase ? "i" : "c"}${pattern}`;
  const known = own.get(key);
  if (known) return known;
  budget.step(pattern.length);
  const made = patternProgram(pattern, ignoresCase);
  budget.hold(made.instructions.length);
  own.set(key, made);
  return made;
}

/** Whether a text matches a regular expression, in steps of at most the product of their lengths. Errors: those of {@link patternProgram}, query.too-large. */
export function matchesPattern(text: string, pattern: string, ignoresCase: boolean, budget: Budget): boolean {
  return run(programOf(pattern, ignoresCase, budget), text, 0, budget, false) !== null;
}

/** Returns the first match behind a place; null where there is none. */
export function findPattern(
  text: string,
  from: number,
  pattern: string,
  ignoresCase: boolean,
  budget: Budget,
): Match | null {
  return run(programOf(pattern, ignoresCase, budget), text, from, budget, true);
}

interface Thread {
  readonly at: number;
  readonly saved: readonly number[];
}

/** Goes through the text once, with all ways to match at a time (Thompson 1968, Pike 1987): no way is gone twice. */
function run(
  { instructions, groups, isLazy }: PatternProgram,
  text: string,
  from: number,
  budget: Budget,
  captures: boolean,
): Match | null {
  let found: readonly number[] | null = null;
  let threads: Thread[] = [];
  const isAnchored = beginsAnchored(instructions);
  const seen = new Int32Array(instructions.length).fill(-1);
  const empty = captures ? new Array<number>(2 * groups + 2).fill(-1) : [];
  for (let place = from; place <= text.length; ) {
    const code = text.codePointAt(place) ?? -1;
    if (found === null && (!isAnchored || place === 0)) {
      const saved = captures ? empty.with(0, place) : empty;
      spread({ at: 0, saved }, place);
    }
    if (threads.length === 0 && (found !== null || isAnchored)) break;
    const next: Thread[] = [];
    const now = threads;
    threads = next;
    const behind = place + (code > 0xffff ? 2 : 1);
    budget.step(1 + now.length);
    for (const { at, saved } of now) {
      if (captures && found !== null && (saved[0] as number) > (found[0] as number)) continue;
      const instruction = instructions[at] as Instruction;
      if (instruction.op === "match") {
        if (!captures) return [0, 0];
        if (isLazy) {
          found = saved.with(1, place);
          break;
        }
        // The match that begins first is taken, and the longest of these.
        const isEarlier = found === null || (saved[0] as number) < (found[0] as number);
        if (isEarlier || (saved[0] === found?.[0] && place > (found?.[1] ?? -1)))
          found = saved.with(1, place);
        continue;
      }
      if (code >= 0 && instruction.op === "test" && instruction.test(code))
        spread({ at: at + 1, saved }, behind);
    }
    place = behind;
  }
  return found;

  /** Adds a way, and all that go on from it without a character. */
  function spread(first: Thread, place: number): void {
    const open = [first];
    for (let thread = open.pop(); thread; thread = open.pop()) {
      const { at, saved } = thread;
      if (seen[at] === place) continue;
      seen[at] = place;
      budget.step();
      const instruction = instructions[at] as Instruction;
      switch (instruction.op) {
        case "jump":
          open.push({ at: instruction.to, saved });
          break;
        case "split":
          open.push({ at: instruction.second, saved }, { at: instruction.first, saved });
          break;
        case "save":
          open.push({ at: at + 1, saved: captures ? saved.with(instruction.place, place) : saved });
          break;
        case "assert":
          if (holds(instruction.what, text, place)) open.push({ at: at + 1, saved });
          break;
        default:
          threads.push(thread);
      }
    }
  }
}

/** Whether nothing matches but at the begin of the text. */
function beginsAnchored(instructions: readonly Instruction[]): boolean {
  const first = instructions.find(({ op }) => op !== "save");
  return first?.op === "assert" && first.what === "begin";
}

function holds(what: Extract<Instruction, { op: "assert" }>["what"], text: string, place: number): boolean {
  if (what === "begin") return place === 0;
  if (what === "end") return place === text.length;
  const before = place > 0 && isWord(text.charCodeAt(place - 1));
  const behind = place < text.length && isWord(text.charCodeAt(place));
  switch (what) {
    case "word-begin":
      return !before && behind;
    case "word-end":
      return before && !behind;
    case "word-edge":
      return before !== behind;
    default:
      return before === behind;
  }
}
