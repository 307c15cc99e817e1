import { parseJson } from "./parse-json.ts";

/** Returns the release in a file: that of the model of a procedure, what --format json printed or a service answered without the answer beside it, or the file itself. Errors: release.invalid where it is no JSON. */
export function releaseIn(text: string): string {
  const held = parseJson(text);
  if (typeof held !== "object" || held === null) return text;
  if ("answer" in held && "certificate" in held) return withoutAnswer(text);
  const isModel = Object.keys(held).sort().join() === "kind,release,version" && "release" in held;
  return isModel ? JSON.stringify(held.release) : text;
}

/** Returns what --format json printed, or a service answered, without the answer for programs beside it. */
export function withoutAnswer(text: string): string {
  let held: unknown;
  try {
    held = parseJson(text);
  } catch {
    return text;
  }
  if (typeof held !== "object" || held === null || !("answer" in held)) return text;
  const { answer: _, ...rest } = held;
  if ("releases" in rest) return JSON.stringify(rest);
  // A made answer has a kind of its own; that of a release is the service's word.
  const { kind: __, ...release } = rest as { readonly kind?: unknown };
  return "certificate" in release ? JSON.stringify(release) : text;
}
