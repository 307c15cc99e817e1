import { invalid, parseJson } from "../format/parse-json.ts";
import { plan } from "../format/plan-shape.ts";
import { chargeMembers, readRelease, shaped, shownMembers } from "../format/release-shape.ts";
import { list, literal, number, object, type Read, sha256Text, text } from "../format/shape.ts";
import type { MadeAnswer, ReadMade } from "./made-answer.ts";

const made: Read<MadeAnswer> = object({
  version: literal(1),
  kind: literal("made-answer"),
  ...shownMembers,
  notes: list(text),
  confidence: chargeMembers.confidence,
  plan,
  errors: list(object({ column: text, here: number, anew: number })),
  of: list(object({ requestId: text, certificate: sha256Text, at: chargeMembers.at })),
  releases: list((value): unknown => value),
});

/** Whether a text claims to be of an answer that is made of releases. */
export function holdsMade(json: string): boolean {
  try {
    const value = parseJson(json);
    return typeof value === "object" && value !== null && "kind" in value && value.kind === "made-answer";
  } catch {
    return false;
  }
}

/** Reads an answer that is made of releases, from untrusted text. Errors: release.invalid, naming the place and what belongs there. */
export function readMade(json: string): ReadMade {
  const read = shaped(() => made(parseJson(json), ""));
  const releases = read.releases.map((release) => readRelease(JSON.stringify(release)));
  if (releases.length === 0) throw invalid("releases must be a list of one or more");
  return { made: read, releases };
}
