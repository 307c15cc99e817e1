import type { AskOptions, Release } from "@lethe/client";
import type { OwnService } from "../session/own-service.ts";

/** The way by which an answer is given again for nothing: a request's id, and whose it is where it is another's; an offer that was received before; or, of what has no release of its own, the question as it was asked. */
export type AnswerSource =
  | { readonly requestId: string; readonly of?: string }
  | { readonly offer: string }
  | { readonly sql: string; readonly options: AskOptions };

/** Returns the bytes of an answer in a media type, for nothing. Errors: a LetheProblem. */
export function bytesOf(
  service: OwnService,
  source: AnswerSource,
  mediaType: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if ("requestId" in source) return service.bytes("GET", pathOf(source), mediaType);
  if ("offer" in source)
    return service.bytes("POST", "received", mediaType, { offer: source.offer, made: true });
  // Of public tables, or made of earlier releases. Nothing is paid for it, whatever has changed since.
  return service.bytes("POST", "query", mediaType, { sql: source.sql, ...source.options, made: true });
}

/** Returns a release that was given before, for nothing. Errors: a LetheProblem; query.option, with its price as fields, of what was offered and not received. */
export async function releaseOf(
  service: OwnService,
  source: Exclude<AnswerSource, { readonly sql: string }>,
): Promise<Release> {
  return "requestId" in source
    ? service.call<Release>("GET", pathOf(source))
    : service.lethe.receive(source.offer, { made: true });
}

function pathOf({ requestId, of }: { readonly requestId: string; readonly of?: string }): string {
  return `releases/${encodeURIComponent(requestId)}${of === undefined ? "" : `?of=${encodeURIComponent(of)}`}`;
}
