import { width } from "../printable.ts";

/**
 * Breaks a text at its blanks into lines of at most so many columns; a word that is longer is cut.
 * @example wrap("one two three", 7) // => ["one two", "three"]
 */
export function wrap(text: string, columns: number): readonly string[] {
  if (width(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => cut(each, columns))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && width(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A word in pieces that fit. */
function cut(word: string, columns: number): readonly string[] {
  if (width(word) <= columns) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const character of word) {
    if (piece !== "" && width(piece + character) > columns) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Wraps a line of facts, "Left    ε 1 of ε 5": further lines stand below what follows its first word. */
export function wrapFact(line: string, columns: number): string {
  const named = /^\S+ {2,}/.exec(line)?.[0].length;
  const lead = named ?? line.length - line.trimStart().length;
  const indent = named ?? lead + 2;
  if (width(line) <= columns || columns < indent + 20) return line;
  const [first = "", ...others] = wrap(line.slice(lead), columns - indent);
  return [line.slice(0, lead) + first, ...others.map((each) => " ".repeat(indent) + each)].join("\n");
}

/** Wraps the lines of a page: of facts as {@link wrapFact} does, and of a drawn tree below where their words begin, with its strokes. */
export function wrapPage(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (/[│├└]/.test(line) ? wrapBranch(line, columns) : wrapFact(line, columns)))
    .join("\n");
}

function wrapBranch(line: string, columns: number): string {
  const lead = /^[ │├└─]*/.exec(line)?.[0] ?? "";
  const below = `${lead.replaceAll("├", "│").replace(/[└─]/g, " ")}  `;
  if (width(line) <= columns || columns < below.length + 20) return line;
  const [first = "", ...others] = wrap(line.slice(lead.length), columns - below.length);
  return [lead + first, ...others.map((each) => below + each)].join("\n");
}
