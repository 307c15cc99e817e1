import { LetheProblem } from "@lethe/client";
import { ProblemPanel } from "../../parts/problem-panel.tsx";

interface ChangedElsewhereProps {
  readonly problem: unknown;
  /** Shows the dashboard as it is now. */
  readonly onLoad: () => void;
}

/** Says why a change of a dashboard was refused. Where it was made of an earlier version, nothing is overwritten: the visitor may look at the newest first. */
export function ChangedElsewhere({ problem, onLoad }: ChangedElsewhereProps) {
  if (!isChangedElsewhere(problem)) return <ProblemPanel problem={problem} />;
  return (
    <>
      <ProblemPanel problem={problem} />
      <p>
        Another window of yours, or a program with your token, saved this dashboard after you opened it. Your
        change was not saved, and theirs stays.
      </p>
      <p>
        <button type="button" onClick={onLoad}>
          Show it as it is now
        </button>
      </p>
    </>
  );
}

function isChangedElsewhere(problem: unknown): boolean {
  return problem instanceof LetheProblem && problem.code === "serve.changed";
}
