import { LetheError } from "@lethe/core";

/** What an answer may be written as. */
export const mediaTypes = {
  json: "application/json",
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.stream",
  events: "text/event-stream",
} as const;

export type AnswerFormat = keyof typeof mediaTypes;

/** A range of media types that a client names, its place in the header, and how much it wants it: 0 for not at all. */
interface Range {
  readonly type: string;
  readonly weight: number;
  readonly place: number;
}

/**
 * Picks the format that a header Accept asks for, by RFC 9110: the weight of a format is that of the most specific range that covers it, the greatest weight wins, and of equals the one named
 * first; JSON where no header is sent. Null where none of the formats is accepted.
 * @example pickFormat("text/csv;q=0.5, application/json") // => "json"
 */
export function pickFormat(accept: string | undefined): AnswerFormat | null {
  if (accept === undefined || accept.trim() === "") return "json";
  const ranges = accept.slice(0, 1000).split(",").map(rangeOf);
  const wanted = (Object.keys(mediaTypes) as AnswerFormat[]).flatMap((format) => {
    const range = narrowest(format, ranges);
    return range !== null && range.weight > 0 ? [{ format, ...range }] : [];
  });
  wanted.sort((a, b) => b.weight - a.weight || a.place - b.place);
  return wanted[0]?.format ?? null;
}

/** Returns the most specific range that covers a format. A stream of events is given to whoever names it: "anything" means the answer itself. */
function narrowest(format: AnswerFormat, ranges: readonly Range[]): Range | null {
  const whole = mediaTypes[format];
  const [kind] = whole.split("/");
  const covering = format === "events" ? [whole] : [whole, `${kind}/*`, "*/*"];
  for (const type of covering) {
    const range = ranges.find((each) => each.type === type);
    if (range) return range;
  }
  return null;
}

function rangeOf(text: string, place: number): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const stated = parameters.find((each) => each.startsWith("q="))?.slice(2);
  const weight = stated === undefined ? 1 : Number(stated || "none");
  return { type, place, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

/** Picks the format of an answer that is whole when it leaves. Errors: serve.not-acceptable. */
export function acceptedFormat(accept: string | undefined): Exclude<AnswerFormat, "events"> {
  const format = pickFormat(accept);
  if (format === null || format === "events") throw notAcceptable();
  return format;
}

/** The refusal of a request that accepts none of the formats. */
export function notAcceptable(): LetheError {
  return new LetheError("serve.not-acceptable", "the header Accept names no format that an answer has", {
    fix: `accept one of ${Object.values(mediaTypes).join(", ")}`,
    fields: { name: "Accept" },
  });
}
