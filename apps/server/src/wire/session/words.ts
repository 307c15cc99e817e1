import { scanTokens, type Token } from "@lethe/query";

/** A word, a name, a text, a number or a sign of a statement. */
export interface Word extends Pick<Token, "kind" | "start" | "end"> {
  /** As it is written; a bare word in lower case. */
  readonly text: string;
}

/** Returns the words of each statement of a text, without the semicolons between; a statement of no words is left out. */
export function statementsOf(text: string): readonly (readonly Word[])[] {
  const statements: Word[][] = [[]];
  for (const { kind, start, end } of scanTokens(text)) {
    if (kind === "semicolon") statements.push([]);
    else {
      const written = text.slice(start, end);
      statements.at(-1)?.push({ kind, start, end, text: kind === "word" ? written.toLowerCase() : written });
    }
  }
  return statements.filter(({ length }) => length > 0);
}

/** Reads the words of one statement from left to right. */
export class Words {
  readonly #words: readonly Word[];
  #at = 0;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  get next(): Word | undefined {
    return this.#words[this.#at];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#words.length;
  }

  /** Takes the next word where it is one of these; null where it is not. Bare words and signs alone are compared. */
  take(...texts: readonly string[]): string | null {
    const { next } = this;
    if (!next || next.kind === "text" || next.kind === "quoted" || !texts.includes(next.text)) return null;
    this.#at += 1;
    return next.text;
  }

  /** Takes these words, one after the other; false, and none is taken, where others stand there. */
  takeAll(...texts: readonly string[]): boolean {
    const before = this.#at;
    if (texts.every((text) => this.take(text) !== null)) return true;
    this.#at = before;
    return false;
  }

  /** Takes a name, bare or quoted; null where none stands there. */
  name(): string | null {
    const { next } = this;
    if (next?.kind !== "word" && next?.kind !== "quoted") return null;
    this.#at += 1;
    return next.kind === "word" ? next.text : next.text.slice(1, -1).replaceAll('""', '"');
  }

  /** Takes a plain text, without its quotes; null where none stands there. */
  text(): string | null {
    const { next } = this;
    if (next?.kind !== "text" || !/^'.*'$/s.test(next.text)) return null;
    this.#at += 1;
    return next.text.slice(1, -1).replaceAll("''", "'");
  }

  /** Takes a number, with the sign before it; null where none stands there. */
  number(): string | null {
    const before = this.#at;
    const sign = this.take("-", "+");
    const { next } = this;
    if (next?.kind === "number" && /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(next.text)) {
      this.#at += 1;
      return `${sign === "-" ? "-" : ""}${next.text}`;
    }
    this.#at = before;
    return null;
  }

  /** Takes whatever stands next. */
  skip(): void {
    this.#at += 1;
  }
}
