import { LetheProblem } from "@lethe/client";
import { ThreadRefusal } from "../thread/thread-refusal.ts";

/** A refusal: what is wrong, where, what would be accepted, and its code. Nothing where there is none. */
export function ProblemPanel({ problem }: { readonly problem: unknown }) {
  if (problem === null || problem === undefined) return null;
  const told =
    problem instanceof LetheProblem
      ? problem
      : problem instanceof ThreadRefusal
        ? { ...problem.refused, retryAfterMs: null }
        : null;
  if (told === null)
    return (
      <div class="panel problem" role="alert">
        <strong>The service cannot be reached.</strong>
        <p>See whether you are connected, and try again.</p>
      </div>
    );
  return (
    <div class="panel problem" role="alert">
      <strong>{told.message}</strong>
      {told.line === null ? null : ` (line ${told.line}, column ${told.column})`}
      {told.fix ? <p>{told.fix}</p> : null}
      <p class="quiet">
        Code <code>{told.code}</code>
        {told.retryAfterMs === null
          ? null
          : `, may be tried again in ${Math.ceil(told.retryAfterMs / 1000)} s`}
      </p>
    </div>
  );
}
