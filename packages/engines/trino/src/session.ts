import { trinoSizes } from "@lethe/query";
import type { TrinoLimits } from "./limits.ts";

/**
 * Returns the properties that every statement sets: its time and memory, and that what does not fit into memory is spilled where the
 * cluster allows it, and as many stages as the dialect's statements may take. The owner's own properties cannot loosen them.
 */
export function sessionOf(
  { timeoutMs, queryMemoryMiB }: TrinoLimits,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    ...own,
    query_max_execution_time: `${timeoutMs}ms`,
    // Includes the time in a queue.
    query_max_run_time: `${timeoutMs}ms`,
    query_max_memory: `${queryMemoryMiB}MB`,
    // A statement that may take more is refused when it is compiled, before a charge.
    query_max_stage_count: `${trinoSizes.stages}`,
  };
}
