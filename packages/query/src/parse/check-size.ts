import { LetheError } from "@lethe/core";
import type { Token } from "./scan-tokens.ts";

export const maxTextBytes: number = 65_536;
/**
 * Bounds the depth of the tree before the grammar builds it: tokens between two commas at one level of brackets, added
 * up over the levels that are open. The WASM parser survives well over this many in any arrangement.
 */
export const maxTokenDepth: number = 2_000;

function tooLarge(message: string, fix: string, offset?: number): LetheError {
  return new LetheError("query.too-large", message, offset === undefined ? { fix } : { fix, offset });
}

/** Errors: query.too-large for more than 64 KiB of UTF-8. Looks at no more of the text than that. */
export function checkLength(text: string): void {
  // Every UTF-16 unit takes at least one byte.
  if (text.length > maxTextBytes || new TextEncoder().encode(text).length > maxTextBytes)
    throw tooLarge("the question is longer than 64 KiB", "ask a shorter question");
}

/** Errors: query.too-large where brackets or operators nest deeper than a question needs. */
export function checkDepth(tokens: Iterable<Token>): void {
  const outer: number[] = [];
  let here = 0;
  let below = 0;
  for (const token of tokens) {
    if (token.kind === "comma") here = 0;
    else here += 1;
    if (token.kind === "open") {
      outer.push(here);
      below += here;
      here = 0;
    } else if (token.kind === "close" && outer.length > 0) {
      here = outer.pop()!;
      below -= here;
    }
    if (below + here > maxTokenDepth)
      throw tooLarge(
        `an expression has more than ${maxTokenDepth} parts`,
        "split the question, or write a long list of comparisons with IN (…)",
        token.start,
      );
  }
}
