import { LetheError } from "@lethe/core";
import { type PolicyDraft, readPolicy } from "@lethe/query";
import type { InitFlags } from "./init-flags.ts";

/** Returns the parts of a policy that the owner's words state, whatever its tables are. */
export function frameOf(
  words: InitFlags,
): Pick<PolicyDraft, "unitName" | "adjacency" | "maxGroups" | "maxRowsPerGroup" | "limit" | "budget"> {
  return {
    unitName: words.unitName,
    adjacency: words.adjacency,
    budget: {
      measure: words.measure,
      epsilon: words.epsilon,
      ...(words.measure === "pure" ? {} : { delta: words.delta }),
    },
    ...(words.maxGroups === undefined ? {} : { maxGroups: Number(words.maxGroups) }),
    ...(words.limit === undefined ? {} : { limit: words.limit }),
    ...(words.maxRows === undefined ? {} : { maxRowsPerGroup: Number(words.maxRows) }),
  };
}

/** Returns the same YAML, after it was read as a policy: what init writes must be one. Errors: policy.* */
export function readBack(yaml: string): string {
  try {
    readPolicy(yaml);
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    // The line is one of a file that was not written.
    const message = error.message.replace(/^line \d+, /, "");
    throw new LetheError(error.code, `these options do not make a policy: ${message}`, { fix: error.fix });
  }
  return yaml;
}
