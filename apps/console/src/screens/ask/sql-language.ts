import { StreamLanguage, type StringStream } from "@codemirror/language";
import { keywords } from "./completions.ts";

/** What the end of a line leaves open. */
interface Open {
  until: "*/" | "'" | null;
}

/** The words of SQL that a reader tells apart: keywords, texts, quoted names, numbers, truths and comments. The service reads the text; this colours it alone. */
export const sqlLanguage = StreamLanguage.define<Open>({
  name: "sql",
  startState: () => ({ until: null }),
  copyState: ({ until }) => ({ until }),
  token,
  languageData: { commentTokens: { line: "--", block: { open: "/*", close: "*/" } } },
});

/** Returns the kind of what stands next, and moves behind it. Exported for its test. */
export function token(stream: StringStream, open: Open): string | null {
  if (open.until === null) {
    if (stream.match("--")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) open.until = "*/";
    else if (stream.match("'")) open.until = "'";
  }
  if (open.until !== null) return throughOpen(stream, open, open.until);
  if (stream.match(/^"(?:[^"]|"")*"?/)) return "string.special";
  if (stream.match(/^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/i)) return "number";
  const [word = ""] = (stream.match(/^[a-z_]\w*/i) || []) as readonly string[];
  if (word === "") {
    stream.next();
    return null;
  }
  if (/^(?:true|false|null)$/i.test(word)) return "bool";
  return known.has(word.toUpperCase()) ? "keyword" : null;
}

function throughOpen(stream: StringStream, open: Open, until: "*/" | "'"): string {
  // Two quotes in a text are one, and the second begins what looks like another text: its colour is the same.
  if (stream.skipTo(until)) {
    stream.match(until);
    open.until = null;
  } else stream.skipToEnd();
  return until === "'" ? "string" : "comment";
}

const known = new Set([
  ...keywords,
  ..."PRIVACY EXPLAIN QUALIFY OUTER OFFSET ILIKE EXISTS DIFFERENTIAL_PRIVACY".split(" "),
]);
