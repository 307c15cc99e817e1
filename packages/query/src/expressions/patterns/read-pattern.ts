import { elementAt } from "@lethe/core/numeric";
import {
  type CharacterSet,
  complement,
  inBothCases,
  lastCodePoint,
  type Pattern,
  setOf,
  writtenOut,
} from "./pattern.ts";

/** What is wrong with a pattern, and how to write it instead. */
export interface PatternFault {
  readonly fault: string;
  readonly fix: string;
}

/** How a pattern is written: as a regular expression, or as SIMILAR TO has it, whose `escape` is one character or none. */
export interface PatternSyntax {
  readonly anyCase?: boolean;
  readonly similar?: { readonly escape: string };
  /** Whether only the existence of a match matters, so that lazy repeats are repeats. */
  readonly isTest?: boolean;
  /** The number of the group that is kept, from 1 on; the others hold together, and nothing else. */
  readonly group?: number;
}

/** A pattern's cost grows with its length on every row. */
export const longestPattern: number = 1000;
const mostRepeats = 100;
/** Characters, once repeats are written out. */
const mostWrittenOut = 500;
const deepest = 20;

const points = (text: string): CharacterSet =>
  [...text].map((letter) => [letter.codePointAt(0)!, letter.codePointAt(0)!] as const);
const digits: CharacterSet = [[48, 57]];
const lower: CharacterSet = [[97, 122]];
const upper: CharacterSet = [[65, 90]];
const blanks: CharacterSet = [
  [9, 13],
  [32, 32],
];
const punctuation: CharacterSet = [
  [33, 47],
  [58, 64],
  [91, 96],
  [123, 126],
];

/** The classes of POSIX, of ASCII characters alone, in every engine alike. */
const classes: Readonly<Record<string, CharacterSet>> = {
  alpha: [...upper, ...lower],
  digit: digits,
  alnum: [...digits, ...upper, ...lower],
  lower,
  upper,
  space: blanks,
  blank: points(" \t"),
  punct: punctuation,
  xdigit: [...digits, [65, 70], [97, 102]],
  word: [...digits, ...upper, ...lower, [95, 95]],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  print: [[32, 126]],
  graph: [[33, 126]],
};
const shorthands: Readonly<Record<string, string>> = { d: "digit", w: "word", s: "space" };
const controls: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f", v: "\v" };

class Fault extends Error {
  readonly fix: string;
  constructor(fault: string, fix: string) {
    super(fault);
    this.fix = fix;
  }
}

/** Reads a pattern, or says why it is none that every engine reads alike. */
export function readPattern(text: string, syntax: PatternSyntax = {}): Pattern | PatternFault {
  try {
    return new Reader(text, syntax).whole();
  } catch (fault) {
    if (fault instanceof Fault) return { fault: fault.message, fix: fault.fix };
    throw fault;
  }
}

const partsOf = (pattern: Pattern): readonly Pattern[] =>
  pattern.kind === "sequence" ? pattern.parts : [pattern];

/** Reads a pattern from the left. */
class Reader {
  readonly #letters: readonly string[];
  readonly #similar: { readonly escape: string } | undefined;
  readonly #isTest: boolean;
  readonly #group: number;
  #anyCase: boolean;
  #groups = 0;
  #at = 0;
  #depth = 0;

  constructor(text: string, { anyCase = false, similar, isTest = false, group = 0 }: PatternSyntax) {
    this.#isTest = isTest;
    this.#group = group;
    this.#letters = [...text];
    this.#similar = similar;
    this.#anyCase = anyCase;
  }

  whole(): Pattern {
    if (this.#letters.length > longestPattern)
      throw new Fault(`the pattern is longer than ${longestPattern} characters`, "shorten it");
    if (!this.#similar && this.#taken("(?i)")) this.#anyCase = true;
    const body = this.#alternatives();
    if (this.#at < this.#letters.length)
      throw new Fault("a ) of the pattern closes nothing", String.raw`write \)`);
    if (this.#group > this.#groups)
      throw new Fault(`the pattern has no group ${this.#group}`, "write its brackets: @(.+)$");
    if (
      this.#group > 0 &&
      !(
        body.kind === "group" ||
        (body.kind === "sequence" && body.parts.some(({ kind }) => kind === "group"))
      )
    )
      throw new Fault(
        "the group that is extracted stands in another group",
        "write the group by itself: (?:a|b)(c+)",
      );
    const pattern: Pattern = this.#similar
      ? {
          kind: "sequence",
          parts: [{ kind: "end", at: "start" }, ...partsOf(body), { kind: "end", at: "end" }],
        }
      : body;
    if (writtenOut(pattern) > mostWrittenOut)
      throw new Fault(
        `the pattern has more than ${mostWrittenOut} characters once its repeats are written out`,
        "repeat less: [0-9]+ for [0-9]{1,90}",
      );
    return pattern;
  }

  #next(): string | undefined {
    return this.#letters[this.#at];
  }

  #taken(text: string): boolean {
    const letters = [...text];
    if (!letters.every((letter, i) => this.#letters[this.#at + i] === letter)) return false;
    this.#at += letters.length;
    return true;
  }

  #alternatives(): Pattern {
    this.#depth += 1;
    if (this.#depth > deepest)
      throw new Fault(`groups of the pattern nest deeper than ${deepest}`, "leave brackets out");
    const parts = [this.#sequence()];
    while (this.#taken("|")) parts.push(this.#sequence());
    this.#depth -= 1;
    return parts.length === 1 ? elementAt(parts, 0) : { kind: "alternatives", parts };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    for (let next = this.#next(); next !== undefined && next !== "|" && next !== ")"; next = this.#next())
      parts.push(this.#repeated(this.#atom()));
    if (parts.length === 0)
      throw new Fault("the pattern, or one of its alternatives, is empty", "write (ab)? for (ab|)");
    return parts.length === 1 ? elementAt(parts, 0) : { kind: "sequence", parts };
  }

  #repeated(of: Pattern): Pattern {
    const counts = this.#counts();
    if (!counts) return of;
    if (of.kind === "group")
      throw new Fault("the group that is extracted is repeated", "repeat inside it: (a+)");
    if (of.kind === "end") throw new Fault("an end of the text is repeated", "write ^ and $ once");
    if (!this.#similar && this.#taken("?") && !this.#isTest)
      throw new Fault("the pattern has a lazy repeat", "exclude what stands behind instead: [^,]* for .*?,");
    if (this.#counts()) throw new Fault("a repeat of the pattern is repeated", "write (?:a+)* for a+*");
    const [least, most] = counts;
    return { kind: "repeat", of, least, most };
  }

  #counts(): readonly [number, number | null] | null {
    if (this.#taken("*")) return [0, null];
    if (this.#taken("+")) return [1, null];
    if (this.#taken("?")) return [0, 1];
    if (this.#next() !== "{") return null;
    const rest = this.#letters.slice(this.#at, this.#at + 12).join("");
    const [written, low = "", comma, high = ""] = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(rest) ?? [];
    const least = Number(low);
    const most = comma === undefined ? least : high === "" ? null : Number(high);
    if (
      written === undefined ||
      most === 0 ||
      (most ?? least) < least ||
      Math.max(least, most ?? 0) > mostRepeats
    )
      throw new Fault(
        `a { of the pattern begins no count of at most ${mostRepeats}`,
        String.raw`write {2}, {2,} or {2,5}; a bracket itself is \{`,
      );
    this.#at += written.length;
    return [least, most];
  }

  #set(set: CharacterSet): Pattern {
    return { kind: "class", set: this.#anyCase ? inBothCases(setOf(set)) : setOf(set) };
  }

  #atom(): Pattern {
    const letter = elementAt(this.#letters, this.#at);
    this.#at += 1;
    if (letter === "(") return this.#enclosed();
    if (letter === "[") return this.#brackets();
    if (this.#similar) return this.#similarAtom(letter, this.#similar.escape);
    switch (letter) {
      case ".":
        return this.#set([[0, lastCodePoint]]);
      case "^":
        return { kind: "end", at: "start" };
      case "$":
        return { kind: "end", at: "end" };
      case "\\":
        return this.#escapedAtom();
      default:
        return this.#literal(letter);
    }
  }

  #similarAtom(letter: string, mark: string): Pattern {
    if (letter === mark) {
      const escaped = this.#next();
      if (escaped === undefined)
        throw new Fault("the pattern ends in its escape character", "write it twice");
      this.#at += 1;
      return this.#set(points(escaped));
    }
    if (letter === "_") return this.#set([[0, lastCodePoint]]);
    if (letter === "%") return { kind: "repeat", of: this.#set([[0, lastCodePoint]]), least: 0, most: null };
    return this.#literal(letter);
  }

  #literal(letter: string): Pattern {
    if (["*", "+", "?", "{"].includes(letter))
      throw new Fault(`the ${letter} of the pattern repeats nothing`, `write \\${letter} for the character`);
    if (this.#anyCase && letter.codePointAt(0)! > 127)
      throw new Fault("the pattern is of any case and has a letter beyond ASCII", "write both cases: [éÉ]");
    return this.#set(points(letter));
  }

  #enclosed(): Pattern {
    const isCounted = this.#next() !== "?";
    if (isCounted) this.#groups += 1;
    const isKept = isCounted && this.#groups === this.#group;
    if (!isCounted && !this.#taken("?:"))
      throw new Fault(
        "a group of the pattern looks around, has a name or sets an option",
        "write (…) or (?:…); (?i) stands first",
      );
    const body = this.#alternatives();
    if (!this.#taken(")"))
      throw new Fault("a ( of the pattern is not closed", String.raw`write \( for the character`);
    return isKept ? { kind: "group", of: body } : body;
  }

  /** A character behind a backslash; null for a letter that means a set, or something that is refused. */
  #escapedLetter(letter: string): string | null {
    if (Object.hasOwn(controls, letter)) return controls[letter] ?? null;
    if (letter === "x") {
      const [code] = /^[0-9a-fA-F]{2}/.exec(this.#letters.slice(this.#at, this.#at + 2).join("")) ?? [];
      if (code === undefined) return null;
      this.#at += 2;
      return String.fromCodePoint(Number.parseInt(code, 16));
    }
    return /^[ -/:-@[-`{-~]$/.test(letter) ? letter : null;
  }

  #escaped(): { readonly letter: string } | { readonly set: CharacterSet } {
    const letter = this.#next();
    if (letter === undefined) throw new Fault("the pattern ends in a backslash", String.raw`write \\`);
    this.#at += 1;
    const named = shorthands[letter.toLowerCase()];
    if (named !== undefined) {
      const set = setOf(classes[named] ?? []);
      return { set: letter === letter.toLowerCase() ? set : complement(set) };
    }
    const literal = this.#escapedLetter(letter);
    if (literal !== null) return { letter: literal };
    throw new Fault(
      `engines read \\${letter} of the pattern in different ways, or not at all`,
      String.raw`write \d, \w, \s, \t, \n or \. and the like; there are no references back and no borders of words`,
    );
  }

  #escapedAtom(): Pattern {
    if (this.#taken("A")) return { kind: "end", at: "start" };
    if (this.#taken("Z") || this.#taken("z")) return { kind: "end", at: "end" };
    const found = this.#escaped();
    return this.#set("set" in found ? found.set : points(found.letter));
  }

  /** What stands between [ and ]. */
  #brackets(): Pattern {
    const isNegated = this.#taken("^");
    const ranges: (readonly [number, number])[] = [];
    for (let isFirst = true; isFirst || this.#next() !== "]"; isFirst = false) {
      const item = this.#item();
      if ("set" in item) {
        ranges.push(...item.set);
        continue;
      }
      const from = item.letter.codePointAt(0)!;
      if (this.#next() !== "-" || this.#letters[this.#at + 1] === "]") {
        ranges.push([from, from]);
        continue;
      }
      this.#at += 1;
      const last = this.#item();
      const to = "set" in last ? -1 : last.letter.codePointAt(0)!;
      if (to < from) throw new Fault("a range of the pattern has its ends in no order", "write [a-z]");
      ranges.push([from, to]);
    }
    this.#at += 1;
    const set = this.#anyCase ? inBothCases(setOf(ranges)) : setOf(ranges);
    if (this.#anyCase && ranges.some(([, to]) => to > 127))
      throw new Fault("the pattern is of any case and has a letter beyond ASCII", "write both cases: [éÉ]");
    const kept = isNegated ? complement(set) : set;
    if (kept.length === 0) throw new Fault("brackets of the pattern hold no character", "remove them");
    return { kind: "class", set: kept };
  }

  #item(): { readonly letter: string } | { readonly set: CharacterSet } {
    const letter = this.#next();
    if (letter === undefined)
      throw new Fault("a [ of the pattern is not closed", String.raw`write \[ for the character`);
    this.#at += 1;
    if (letter === "\\" && (!this.#similar || this.#similar.escape === "\\")) return this.#escaped();
    const kind = letter === "[" ? this.#next() : undefined;
    if (kind === ":" || kind === "." || kind === "=") return this.#posix();
    return { letter };
  }

  #posix(): { readonly set: CharacterSet } {
    const rest = this.#letters.slice(this.#at, this.#at + 12).join("");
    const [written, name = ""] = /^:([a-z]+):\]/.exec(rest) ?? [];
    const set = Object.hasOwn(classes, name) ? classes[name] : undefined;
    if (written === undefined || !set)
      throw new Fault(
        "a class of the pattern is not known",
        `write one of ${Object.keys(classes)
          .map((each) => `[:${each}:]`)
          .join(", ")}`,
      );
    this.#at += written.length;
    return { set };
  }
}
