import { LetheError } from "@lethe/core";

/** A release is a table of groups with its plan; none is near this size. In UTF-16 code units. */
export const largestText: number = 32 * 1024 * 1024;
const deepestNesting = 128;

const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[[{]|[\]}]/gs;

/**
 * JSON of a stranger: bounded in size and depth, and no member written twice (readers differ in which of the two they
 * show, so a signature over one of them would prove nothing). Errors: release.invalid.
 */
export function parseJson(text: string): unknown {
  if (!(text.length <= largestText)) throw invalid(`it is longer than ${largestText} characters`);
  let depth = 0;
  let written = 0;
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    else if (colon !== undefined) written += 1;
    if (depth > deepestNesting) throw invalid(`it is nested deeper than ${deepestNesting}`);
  }
  const value = parse(text);
  if (membersOf(value) !== written) throw invalid("a member is written twice");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("it is not JSON");
  }
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  let total = own;
  for (const member of Object.values(value)) total += membersOf(member);
  return total;
}

export function invalid(why: string): LetheError {
  return new LetheError("release.invalid", `this is not a release: ${why}`, {
    fix: "give the file that lethe query --out wrote, unchanged",
  });
}
