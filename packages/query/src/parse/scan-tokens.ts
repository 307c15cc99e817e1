import { elementAt } from "@lethe/core/numeric";

/** A lexical token of PostgreSQL, as far as cutting and measuring need it. Comments and blanks are no tokens. */
export interface Token {
  readonly kind:
    | "word"
    | "quoted"
    | "text"
    | "number"
    | "open"
    | "close"
    | "comma"
    | "semicolon"
    | "operator";
  readonly start: number;
  readonly end: number;
}

const blank = /[ \t\n\r\f\v]+/y;
const lineComment = /--[^\n\r]*/y;
const word = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const quoted = /"[^"]*(?:""[^"]*)*(?:"|$)/y;
/** BigQuery's quoted name. PostgreSQL would read a backtick as an operator, of which it has none. */
const ticked = /`[^`]*`/y;
const plainText = /'[^']*(?:''[^']*)*(?:'|$)/y;
const escapeText = /[eE]'(?:[^'\\]|''|\\.)*(?:'|\\?$)/sy;
const prefixedText = /(?:[bBxXnN]|[uU]&)'[^']*(?:''[^']*)*(?:'|$)/y;
const unicodeName = /[uU]&"[^"]*(?:""[^"]*)*(?:"|$)/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const number = /(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[A-Za-z_]*/y;

/** The end of a block comment, which may nest; the text's end where it is not closed. */
function commentEnd(text: string, start: number): number {
  let depth = 0;
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  for (let hit = mark.exec(text); hit; hit = mark.exec(text)) {
    depth += hit[0] === "/*" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

function dollarEnd(text: string, start: number, tag: string): number {
  const close = text.indexOf(tag, start + tag.length);
  return close < 0 ? text.length : close + tag.length;
}

const single: Readonly<Record<string, Token["kind"]>> = {
  "(": "open",
  ")": "close",
  "[": "open",
  "]": "close",
  ",": "comma",
  ";": "semicolon",
};

/** Tokens from left to right, in time linear in the text; never fails: the grammar judges what is wrong. */
export function* scanTokens(text: string): Generator<Token, void, undefined> {
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  while (at < text.length) {
    const skipped = match(blank) ?? match(lineComment);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    if (text.startsWith("/*", at)) {
      at = commentEnd(text, at);
      continue;
    }
    const start = at;
    const string = match(escapeText) ?? match(prefixedText) ?? match(plainText);
    const name = string === null ? (match(unicodeName) ?? match(quoted) ?? match(ticked)) : null;
    const tag = string === null && name === null ? match(dollarTag) : null;
    let kind: Token["kind"];
    if (string !== null) [kind, at] = ["text", start + string.length];
    else if (name !== null) [kind, at] = ["quoted", start + name.length];
    else if (tag !== null) [kind, at] = ["text", dollarEnd(text, start, tag)];
    else {
      const letters = match(word);
      const digits = letters === null ? match(number) : null;
      if (letters !== null) [kind, at] = ["word", start + letters.length];
      else if (digits !== null) [kind, at] = ["number", start + digits.length];
      else [kind, at] = [single[elementAt(text, start)] ?? "operator", start + 1];
    }
    yield { kind, start, end: at };
  }
}

/**
 * Returns the place of the semicolon that ends the first statement of a text; null where none does. One within a text, a name or a comment ends nothing.
 * @example statementEnd("SELECT ';'; SELECT 2;") // => 10
 */
export function statementEnd(text: string): number | null {
  for (const { kind, start } of scanTokens(text)) if (kind === "semicolon") return start;
  return null;
}
