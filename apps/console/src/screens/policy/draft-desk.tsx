import { useMemo, useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { AcceptPolicy } from "./accept-policy.tsx";
import { Changes } from "./changes.tsx";
import { Lint } from "./lint.tsx";
import { PolicyForm } from "./policy-form.tsx";
import type { ServedPolicy } from "./policy-parts.ts";
import { type Mark, TextEditor } from "./text-editor.tsx";
import { useDraft } from "./use-draft.ts";

interface DraftDeskProps {
  readonly served: ServedPolicy;
  readonly isOwner: boolean;
  /** Called when another policy is in force. */
  readonly onServed: () => void;
}

/** The policy as text, what is said of it, what a draft would change, and its acceptance. Who is no owner reads. */
export function DraftDesk({ served, isOwner, onServed }: DraftDeskProps) {
  const { announce } = useHouse();
  const draft = useDraft(served.text, isOwner);
  const { text, given, read, check } = draft;
  const [view, setView] = useState<"Text" | "Form">("Text");
  const show = (next: "Text" | "Form"): void => {
    // An editor that is shown anew is made of the text as it stands.
    draft.write(text);
    setView(next);
  };
  const isChanged = text !== served.text;
  const told = read.value?.of === text ? read.value : null;
  const checked = check.value?.of === text ? check.value.found : null;
  const marks = useMemo<readonly Mark[]>(() => {
    const refused = [told?.refused, checked?.refused].flatMap((each) =>
      each && each.line !== null
        ? [{ line: each.line, column: each.column, severity: "error" as const, message: each.message }]
        : [],
    );
    const advice = (told?.advice ?? []).flatMap(({ line, message }) =>
      line === null ? [] : [{ line, column: null, severity: "warning" as const, message }],
    );
    return [...refused, ...advice];
  }, [told, checked]);
  return (
    <>
      <section aria-label="The policy">
        <div class="row">
          {(["Text", "Form"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={view === each} onClick={() => show(each)}>
              {each}
            </button>
          ))}
        </div>
        {view === "Text" ? (
          <TextEditor
            label={isOwner ? "The draft of the policy" : "The policy's text"}
            given={given}
            readOnly={!isOwner}
            onChange={draft.type}
            marks={marks}
          />
        ) : read.value ? (
          <PolicyForm stated={read.value.stated} change={draft.change} readOnly={!isOwner} />
        ) : null}
        {isOwner ? (
          <div class="row">
            <button
              type="button"
              disabled={!isChanged}
              onClick={() => {
                draft.drop();
                announce("The draft is dropped");
              }}
            >
              Drop the draft
            </button>
            <span class="quiet" role="status">
              {isChanged ? "A draft: it is not in force." : "This is the policy in force."}
            </span>
          </div>
        ) : null}
      </section>
      <Lint read={told} problem={read.problem} />
      {isOwner ? (
        <>
          <Changes
            check={checked}
            problem={check.problem}
            isChanged={isChanged}
            refused={told?.refused ?? null}
          />
          {checked && checked.refused === null ? (
            <AcceptPolicy
              text={text}
              check={checked}
              onServed={() => {
                draft.forget();
                onServed();
              }}
            />
          ) : null}
        </>
      ) : null}
    </>
  );
}
