import { DataTable } from "../../parts/data-table.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import type { Refused } from "../../thread/works.ts";
import { visible } from "../../words/visible.ts";
import { type Effect, effectWords, meaningOf } from "./meaning-of.ts";
import type { PolicyCheck } from "./policy-parts.ts";
import { RefusedPanel } from "./refused-panel.tsx";

interface ChangesProps {
  /** What the service says of the draft as it stands; null while it is asked. */
  readonly check: PolicyCheck | null;
  readonly problem: unknown;
  readonly isChanged: boolean;
  /** Why the draft is no policy. */
  readonly refused: Refused | null;
}

/** What a draft would change of the policy in force, from what to what, and what that means. */
export function Changes({ check, problem, isChanged, refused }: ChangesProps) {
  return (
    <section class="changes" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      {!isChanged ? (
        <p class="quiet">The draft is the policy in force.</p>
      ) : refused ? (
        <p class="quiet">What it would change is told when the text is a policy.</p>
      ) : problem ? (
        <ProblemPanel problem={problem} />
      ) : check === null ? (
        <p class="quiet">The service is asked …</p>
      ) : (
        <>
          {check.refused ? <RefusedPanel of={check.refused} /> : null}
          <DataTable
            label="Changed parts"
            rows={check.differs}
            keyOf={({ path }) => path}
            empty="Nothing of the policy changes: only its comments, or how it is written."
            columns={[
              { title: "Part", cell: ({ path }) => <code>{visible(path)}</code> },
              { title: "In force", kind: "text", cell: ({ from }) => <Value of={from} /> },
              { title: "Draft", kind: "text", cell: ({ to }) => <Value of={to} /> },
              {
                title: "What it means",
                kind: "text",
                cell: (part) => {
                  const { effect, says } = meaningOf(part);
                  return (
                    <>
                      <span class={`badge ${looks[effect]}`}>{effectWords[effect]}</span> {says}
                    </>
                  );
                },
              },
            ]}
          />
        </>
      )}
    </section>
  );
}

const looks: Readonly<Record<Effect, string>> = {
  weaker: "bad",
  stronger: "good",
  promise: "bad",
  public: "warn",
  accuracy: "",
  answers: "",
  spending: "warn",
  nothing: "",
};

function Value({ of }: { readonly of: string | null }) {
  if (of === null) return <span class="quiet">not stated</span>;
  return (
    <bdi>
      <code>{visible(of)}</code>
    </bdi>
  );
}
