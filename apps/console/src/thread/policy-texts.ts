import { checkViews, lintPolicy, policyJsonSchema, readPolicy } from "@lethe/query";
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { refusedBy } from "./refused-by.ts";
import type { PolicyChange, PolicyRead, Stated } from "./works.ts";

/** Reads a policy, its views too. */
export async function readPolicyText(text: string): Promise<PolicyRead> {
  const stated = statedIn(text);
  try {
    const policy = readPolicy(text);
    await checkViews(policy);
    const advice = lintPolicy(policy).map((each) => ({ ...each, line: lineOf(text, each.path) }));
    return { stated, advice, refused: null };
  } catch (error) {
    return { stated, advice: [], refused: refusedBy(error) };
  }
}

/**
 * Changes one place of a policy's text. A value that stands there is replaced, and every other character stays; where a place comes or goes, comments and values stay, and lists are spaced anew. A text that is no YAML stays as
 * it is.
 */
export function changePolicy({ text, path, to }: PolicyChange): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return text;
  const node = document.getIn(path, true);
  const range = isScalar(node) || ((isSeq(node) || isMap(node)) && node.flow === true) ? node.range : null;
  if (to !== null && range) return `${text.slice(0, range[0])}${to}${text.slice(range[1])}`;
  if (to === null) document.deleteIn(path);
  else document.setIn(path, parseDocument(to).contents);
  return document.toString({ lineWidth: 0 });
}

export function policySchema(): object {
  return policyJsonSchema();
}

function statedIn(text: string): Stated | null {
  const { errors, contents } = parseDocument(text);
  return errors.length > 0 ? null : statedBy(contents);
}

/** The line of a path such as tables.people.trusted, or of the last part of it that is stated; null where none is. A name may hold a dot. */
function lineOf(text: string, path: string): number | null {
  const lines = new LineCounter();
  let node: unknown = parseDocument(text, { lineCounter: lines }).contents;
  let line: number | null = null;
  let rest = `${path}.`;
  while (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && rest.startsWith(`${key.value}.`));
    if (!isScalar(pair?.key)) break;
    line = lines.linePos(pair.key.range?.[0] ?? 0).line;
    rest = rest.slice(`${pair.key.value}.`.length);
    node = pair.value;
  }
  return line;
}

/** What stands at a node. A repeated part of the text, which a policy may not have, is shown as nothing. */
function statedBy(node: unknown): Stated {
  if (isScalar(node)) {
    const { value, source } = node;
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    return source ?? String(value);
  }
  if (isSeq(node)) return node.items.map(statedBy);
  if (isMap(node))
    return Object.fromEntries(
      node.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), statedBy(value)]),
    );
  return null;
}
