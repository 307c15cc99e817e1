import { asShown } from "@lethe/gateway";
import type { ServedAnswer } from "@lethe/serve";
import {
  asDrawn,
  csvField,
  type FlatAnswer,
  type FlatValue,
  flatAnswer,
  namedAnswer,
  namedMade,
} from "@lethe/serve/formats";
import { bodyText } from "./body-text.ts";
import { type AnswerFormat, mediaTypes } from "./negotiate.ts";
import { wholeAnswer } from "./whole-answer.ts";

/** An answer with rows: everything but a plan. */
type RowsAnswer = Exclude<ServedAnswer, { readonly kind: "explanation" }>;

/** The headers of answers that are shown again, made once for each. */
const beside = new WeakMap<RowsAnswer, Readonly<Record<string, string>>>();

/**
 * Writes an answer in a format. CSV leaves line by line, so that a long answer is never held as one text. What has no place in its rows stands in headers: the request's id, the
 * price, what was charged, and when the answer was given. A plan is JSON whatever was asked for.
 */
export async function writeAnswer(
  answer: ServedAnswer,
  format: Exclude<AnswerFormat, "events">,
): Promise<Response> {
  if (answer.kind === "explanation") return written(bodyText(answer, answerBody), "json", {});
  const headers = beside.get(answer) ?? toldBeside(answer);
  beside.set(answer, headers);
  switch (format) {
    case "json":
      return written(bodyText(answer, answerBody), "json", headers);
    case "csv":
      return written(lineByLine(flatOf(answer)), "csv", headers);
    case "arrow":
      return written((await import("./arrow-stream.ts")).arrowOf(flatOf(answer)), "arrow", headers);
  }
}

/** The body of a JSON answer: rows with named fields first, and then all that is signed, where it is a release. */
export function answerBody(answer: ServedAnswer): object {
  switch (answer.kind) {
    case "release":
      return { kind: "release", answer: namedAnswer(answer.release, answer.repeat), ...answer.release };
    case "made":
      return { answer: namedMade(answer.made), ...answer.made };
    case "public":
      return { kind: "public", ...answer.answer };
    case "catalog":
      return { kind: "catalog", ...answer.catalog };
    case "explanation":
      return { kind: "explanation", ...answer.explanation };
  }
}

function flatOf(answer: RowsAnswer): FlatAnswer {
  switch (answer.kind) {
    case "release":
      return flatAnswer(asShown(answer.release, answer.repeat?.columns));
    case "made":
      return flatAnswer(asDrawn(answer.made));
    case "public":
      return plain(answer.answer);
    case "catalog":
      return plain(answer.catalog);
  }
}

function plain(answer: {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly FlatValue[])[];
}): FlatAnswer {
  return { names: answer.columns.map(({ name }) => name), rows: () => answer.rows };
}

/** Every line ends, the last one too: what was cut off is told from what is whole. */
function lineByLine({ names, rows }: FlatAnswer): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = (function* () {
    yield names;
    yield* rows();
  })();
  const linesAtOnce = 500;
  return new ReadableStream({
    pull(controller) {
      let text = "";
      for (let count = 0; count < linesAtOnce; count += 1) {
        const next = lines.next();
        if (next.done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += `${next.value.map(csvField).join(",")}\n`;
      }
      controller.enqueue(encoder.encode(text));
    },
  });
}

function toldBeside(answer: RowsAnswer): Readonly<Record<string, string>> {
  if (answer.kind === "made") return { "lethe-charged": "nothing" };
  if (answer.kind !== "release") return {};
  const { requestId, price, charged, asOf } = namedAnswer(answer.release, answer.repeat);
  return {
    "lethe-request": requestId,
    "lethe-price": JSON.stringify(price),
    "lethe-charged": answer.repeat ? "nothing" : JSON.stringify(charged),
    "lethe-as-of": asOf,
  };
}

function written(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  format: AnswerFormat,
  headers: Readonly<Record<string, string>>,
): Response {
  const charset = format === "csv" ? "; charset=utf-8; header=present" : "";
  const told = { "content-type": mediaTypes[format] + charset, ...headers };
  return typeof body === "string" ? wholeAnswer(body, 200, told) : new Response(body, { headers: told });
}
