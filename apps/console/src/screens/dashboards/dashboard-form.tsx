import type { DashboardContent } from "@lethe/client";
import { useState } from "preact/hooks";
import { useAction } from "../../house/use-action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";

type Stated = Pick<DashboardContent, "name" | "readers">;

interface DashboardFormProps {
  readonly title: string;
  readonly action: string;
  readonly given?: Stated;
  /** Keeps what is stated. The dialog closes where that succeeds. */
  readonly onStated: (stated: Stated) => Promise<void>;
  /** Shows what is there now, where it was changed meanwhile. */
  readonly onLoad?: () => void;
  readonly onClose: () => void;
}

const nothing: Stated = { name: "", readers: [] };

/** A dashboard's name, and who may read it beside its person. */
export function DashboardForm({
  title,
  action,
  given = nothing,
  onStated,
  onLoad,
  onClose,
}: DashboardFormProps) {
  const { busy, problem, run } = useAction();
  const [name, setName] = useState(given.name);
  const [readers, setReaders] = useState(given.readers.join(", "));
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const stated = { name: name.trim(), readers: namesIn(readers) };
    if (await run(() => onStated(stated))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label="Name">
          {(input) => (
            <input
              {...input}
              value={name}
              required
              maxLength={100}
              pattern=".*\S.*"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Read by"
          hint="Names with commas between them. They see the questions, and pay for their own answers."
        >
          {(input) => (
            <input
              {...input}
              value={readers}
              onInput={({ currentTarget }) => setReaders(currentTarget.value)}
            />
          )}
        </Field>
        <ChangedElsewhere
          problem={problem}
          onLoad={() => {
            onLoad?.();
            onClose();
          }}
        />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" type="submit" disabled={busy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function namesIn(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ];
}
