import { refused, unsupported } from "../refuse.ts";

/** One step of a program that matches a pattern. */
export type Instruction =
  | { readonly op: "test"; readonly test: (code: number) => boolean }
  /** Goes on at both, and prefers the first. */
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "save"; readonly place: number }
  | {
      readonly op: "assert";
      readonly what: "begin" | "end" | "word-begin" | "word-end" | "word-edge" | "no-edge";
    }
  | { readonly op: "match" };

export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  /** How many groups it captures. */
  readonly groups: number;
  /** Whether it takes as little as it can; else the longest match is taken, whichever way leads to it. */
  readonly isLazy: boolean;
}

const mostInstructions = 5_000;
const mostRepeats = 255;

type Node =
  | { readonly kind: "test"; readonly test: (code: number) => boolean }
  | { readonly kind: "assert"; readonly what: Extract<Instruction, { op: "assert" }>["what"] }
  | { readonly kind: "all"; readonly parts: readonly Node[] }
  | { readonly kind: "either"; readonly parts: readonly Node[] }
  | { readonly kind: "group"; readonly part: Node; readonly place: number }
  | {
      readonly kind: "repeat";
      readonly part: Node;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    };

/** Reads an advanced regular expression of PostgreSQL, but for back references and looking ahead or behind. Errors: query.type, query.unsupported, query.too-large. */
export function patternProgram(pattern: string, ignoresCase: boolean): PatternProgram {
  const [, flags = ""] = /^\(\?([a-z]+)\)/.exec(pattern) ?? [];
  const body = flags === "" ? pattern : pattern.slice(flags.length + 3);
  const reader = new PatternReader(body, ignoresCase || flags.includes("i"));
  const node = reader.whole();
  const instructions: Instruction[] = [];
  write(node, instructions);
  instructions.push({ op: "match" });
  return { instructions, groups: reader.groups, isLazy: reader.isLazy };
}

export function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const isAlpha = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

const classes: Readonly<Record<string, (code: number) => boolean>> = {
  alpha: isAlpha,
  digit: isDigit,
  alnum: (code) => isAlpha(code) || isDigit(code),
  upper: (code) => code >= 65 && code <= 90,
  lower: (code) => code >= 97 && code <= 122,
  space: isSpace,
  blank: (code) => code === 32 || code === 9,
  punct: (code) => code > 32 && code < 127 && !isAlpha(code) && !isDigit(code),
  xdigit: (code) => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102),
  print: (code) => code >= 32 && code !== 127,
  graph: (code) => code > 32 && code !== 127,
  cntrl: (code) => code < 32 || code === 127,
  word: isWord,
};

const controls: Readonly<Record<string, number>> = {
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  a: 7,
  b: 8,
  e: 27,
  B: 92,
};
const asserts: Readonly<Record<string, Extract<Instruction, { op: "assert" }>["what"]>> = {
  m: "word-begin",
  M: "word-end",
  y: "word-edge",
  Y: "no-edge",
  A: "begin",
  Z: "end",
};

class PatternReader {
  groups = 0;
  isLazy = false;
  readonly #text: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(text: string, ignoresCase: boolean) {
    this.#text = text;
    this.#ignoresCase = ignoresCase;
  }

  whole(): Node {
    const node = this.#either();
    return this.#at < this.#text.length ? invalid("parentheses () not balanced") : node;
  }

  #either(): Node {
    const parts = [this.#all()];
    while (this.#take("|")) parts.push(this.#all());
    return parts.length === 1 ? (parts[0] as Node) : { kind: "either", parts };
  }

  #all(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#next)) parts.push(this.#repeated(this.#atom()));
    return { kind: "all", parts };
  }

  #repeated(part: Node): Node {
    let node = part;
    for (;;) {
      const counts = this.#counts();
      if (counts === null) return node;
      if (node.kind === "repeat") return invalid("quantifier operand invalid");
      const isLazy = this.#take("?");
      this.isLazy ||= isLazy;
      node = { kind: "repeat", part: node, ...counts, isLazy };
    }
  }

  #counts(): { readonly least: number; readonly most: number } | null {
    if (this.#take("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#take("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#take("?")) return { least: 0, most: 1 };
    const [whole, least, comma, most] =
      /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at, this.#at + 12)) ?? [];
    if (whole === undefined) return null;
    this.#at += whole.length;
    const [low, high] = [
      Number(least),
      comma === "" ? Number(least) : most ? Number(most) : Number.POSITIVE_INFINITY,
    ];
    if (low > mostRepeats || (high > mostRepeats && high !== Number.POSITIVE_INFINITY) || high < low)
      return invalid("invalid repetition count(s)");
    return { least: low, most: high };
  }

  #atom(): Node {
    const character = this.#next;
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#bracket();
      case "\\":
        return this.#escape();
      case "^":
        this.#at += 1;
        return { kind: "assert", what: "begin" };
      case "$":
        this.#at += 1;
        return { kind: "assert", what: "end" };
      case ".":
        this.#at += 1;
        return { kind: "test", test: () => true };
      case "*":
      case "+":
      case "?":
        return invalid("quantifier operand invalid");
      default:
        return this.#character();
    }
  }

  #group(): Node {
    this.#depth += 1;
    if (this.#depth > 100) return refused("query.too-large", "the pattern nests too deeply");
    this.#at += 1;
    const isQuiet = this.#text.startsWith("?:", this.#at);
    if (isQuiet) this.#at += 2;
    else if (this.#next === "?") return unsupported("patterns that look ahead or behind");
    if (!isQuiet) this.groups += 1;
    const place = this.groups;
    const part = this.#either();
    if (!this.#take(")")) return invalid("parentheses () not balanced");
    this.#depth -= 1;
    return isQuiet ? part : { kind: "group", part, place };
  }

  #escape(): Node {
    this.#at += 1;
    const letter = this.#next;
    if (letter === "") return invalid("invalid escape \\ sequence");
    const what = asserts[letter];
    if (what) {
      this.#at += 1;
      return { kind: "assert", what };
    }
    const test = this.#classEscape(letter);
    if (test) return { kind: "test", test };
    if (isDigit(letter.charCodeAt(0))) return unsupported("patterns with back references");
    const control = controls[letter];
    if (control !== undefined) {
      this.#at += 1;
      return { kind: "test", test: (code) => code === control };
    }
    if (isAlpha(letter.charCodeAt(0))) return invalid("invalid escape \\ sequence");
    return this.#character();
  }

  #named(name: string): (code: number) => boolean {
    // Where case makes no difference, a small letter is as good as a capital.
    const meant = this.#ignoresCase && /^(?:upper|lower)$/.test(name) ? "alpha" : name;
    return classes[meant] ?? invalid("invalid character class");
  }

  #classEscape(letter: string): ((code: number) => boolean) | null {
    const inner = { d: isDigit, w: isWord, s: isSpace }[letter.toLowerCase()];
    if (!inner) return null;
    this.#at += 1;
    return letter === letter.toLowerCase() ? inner : (code) => !inner(code);
  }

  #character(): Node {
    const code = this.#code();
    return { kind: "test", test: this.#same(code, code) };
  }

  #code(): number {
    const code = this.#text.codePointAt(this.#at) ?? 0;
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #same(from: number, to: number): (code: number) => boolean {
    if (!this.#ignoresCase)
      return from === to ? (code) => code === from : (code) => code >= from && code <= to;
    return (code) => {
      const [lower, upper] = [lowerOf(code), upperOf(code)];
      return (lower >= from && lower <= to) || (upper >= from && upper <= to);
    };
  }

  #bracket(): Node {
    this.#at += 1;
    const isNegated = this.#take("^");
    const tests: ((code: number) => boolean)[] = [];
    for (let isFirst = true; isFirst || this.#next !== "]"; isFirst = false) {
      if (this.#at >= this.#text.length) return invalid("brackets [] not balanced");
      const [whole, name] = /^\[:(\w+):\]/.exec(this.#text.slice(this.#at, this.#at + 20)) ?? [];
      if (whole !== undefined) {
        this.#at += whole.length;
        tests.push(this.#named(name ?? ""));
        continue;
      }
      if (this.#next === "\\") {
        this.#at += 1;
        const test = this.#classEscape(this.#next);
        if (test) {
          tests.push(test);
          continue;
        }
        const control = controls[this.#next];
        if (control !== undefined) {
          this.#at += 1;
          tests.push(this.#same(control, control));
          continue;
        }
      }
      const from = this.#code();
      const isRange =
        this.#next === "-" && this.#text[this.#at + 1] !== "]" && this.#at + 1 < this.#text.length;
      if (!isRange) {
        tests.push(this.#same(from, from));
        continue;
      }
      this.#at += 1;
      if (this.#text[this.#at] === "\\") this.#at += 1;
      const to = this.#code();
      tests.push(to < from ? invalid("invalid character range") : this.#same(from, to));
    }
    this.#at += 1;
    return {
      kind: "test",
      test: (code) => {
        for (const test of tests) if (test(code)) return !isNegated;
        return isNegated;
      },
    };
  }

  get #next(): string {
    return this.#text[this.#at] ?? "";
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }
}

function lowerOf(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function upperOf(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code;
}

function write(node: Node, into: Instruction[]): void {
  if (into.length > mostInstructions) refused("query.too-large", "the pattern is too long");
  switch (node.kind) {
    case "test":
      into.push({ op: "test", test: node.test });
      return;
    case "assert":
      into.push({ op: "assert", what: node.what });
      return;
    case "all":
      for (const part of node.parts) write(part, into);
      return;
    case "group":
      into.push({ op: "save", place: 2 * node.place });
      write(node.part, into);
      into.push({ op: "save", place: 2 * node.place + 1 });
      return;
    case "either":
      writeEither(node.parts, into);
      return;
    case "repeat":
      writeRepeat(node, into);
  }
}

function writeEither(parts: readonly Node[], into: Instruction[]): void {
  const jumps: Extract<Instruction, { op: "jump" }>[] = [];
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1) {
      write(part, into);
      continue;
    }
    const split: Instruction = { op: "split", first: into.length + 1, second: 0 };
    into.push(split);
    write(part, into);
    const jump: Extract<Instruction, { op: "jump" }> = { op: "jump", to: 0 };
    jumps.push(jump);
    into.push(jump);
    split.second = into.length;
  }
  for (const jump of jumps) jump.to = into.length;
}

function writeRepeat(
  { part, least, most, isLazy }: Extract<Node, { kind: "repeat" }>,
  into: Instruction[],
): void {
  for (let count = 0; count < least; count += 1) write(part, into);
  if (most === Number.POSITIVE_INFINITY) {
    const split: Extract<Instruction, { op: "split" }> = { op: "split", first: 0, second: 0 };
    const begin = into.length;
    into.push(split);
    write(part, into);
    into.push({ op: "jump", to: begin });
    const [inside, behind] = [begin + 1, into.length];
    [split.first, split.second] = isLazy ? [behind, inside] : [inside, behind];
    return;
  }
  const splits: { readonly split: Extract<Instruction, { op: "split" }>; readonly inside: number }[] = [];
  for (let count = least; count < most; count += 1) {
    const split: Extract<Instruction, { op: "split" }> = { op: "split", first: 0, second: 0 };
    into.push(split);
    splits.push({ split, inside: into.length });
    write(part, into);
  }
  for (const { split, inside } of splits)
    [split.first, split.second] = isLazy ? [into.length, inside] : [inside, into.length];
}

function invalid(what: string): never {
  return refused("query.type", `invalid regular expression: ${what}`);
}
