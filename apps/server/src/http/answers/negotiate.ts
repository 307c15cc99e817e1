import { LetheError } from "@lethe/core";

/** What an answer may be written as. */
export const mediaTypes = {
  json: "application/json",
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.stream",
  events: "text/event-stream",
} as const;

export type AnswerFormat = keyof typeof mediaTypes;

/**
 * Picks the format that a header Accept asks for, by RFC 9110: the type with the greatest weight, the first of equals; JSON where none is stated. Null where none of
 * the formats is accepted.
 * @example pickFormat("text/csv;q=0.5, application/json") // => "json"
 */
export function pickFormat(accept: string | undefined): AnswerFormat | null {
  if (accept === undefined || accept.trim() === "") return "json";
  const formats = Object.keys(mediaTypes) as AnswerFormat[];
  const ranges = accept.slice(0, 1000).split(",").map(rangeOf);
  let best: { readonly format: AnswerFormat; readonly weight: number } | null = null;
  for (const { type, weight } of ranges) {
    // A stream of events is given to whoever names it: "anything" means the answer itself.
    const format = formats.find(
      (each) => mediaTypes[each] === type || (each !== "events" && covers(type, mediaTypes[each])),
    );
    if (format !== undefined && weight > 0 && weight > (best?.weight ?? 0)) best = { format, weight };
  }
  return best?.format ?? null;
}

function rangeOf(text: string): { readonly type: string; readonly weight: number } {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const stated = parameters.find((each) => each.startsWith("q="))?.slice(2);
  const weight = stated === undefined ? 1 : Number(stated);
  return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

function covers(range: string, type: string): boolean {
  if (range === "*/*") return true;
  return range.endsWith("/*") && type.startsWith(range.slice(0, -1));
}

/** The refusal of a request that accepts none of the formats. */
export function notAcceptable(): LetheError {
  return new LetheError("parameter.invalid", "the header Accept names no format that an answer has", {
    fix: `accept one of ${Object.values(mediaTypes).join(", ")}`,
    fields: { name: "Accept" },
  });
}
