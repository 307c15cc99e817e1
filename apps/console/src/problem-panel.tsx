import { LetheProblem } from "@lethe/client";

/** A refusal: what is wrong, where, and what would be accepted. */
export function ProblemPanel({ problem }: { readonly problem: unknown }) {
  if (problem === null || problem === undefined) return null;
  const told = problem instanceof LetheProblem ? problem : null;
  return (
    <div class="panel problem" role="alert">
      <strong>{told ? told.message : "The service cannot be reached."}</strong>
      {told?.line ? ` (line ${told.line}, column ${told.column})` : ""}
      {told?.fix ? <div>{told.fix}</div> : null}
    </div>
  );
}
