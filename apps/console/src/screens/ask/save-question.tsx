import { type Dashboard, type LetheClient, LetheProblem, type SavedQuestion } from "@lethe/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Show } from "../../parts/loading.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { hrefOf } from "../../route/route.ts";
import { visible } from "../../words/visible.ts";

interface SaveQuestionProps {
  readonly sql: string;
  /** As it was written; null for the policy's default. */
  readonly epsilon: string | null;
  readonly onClose: () => void;
}

/** Saves a question into one of the visitor's dashboards, or a new one. */
export function SaveQuestion(props: SaveQuestionProps) {
  const { service, me } = useHouse();
  const loaded = useLoaded(
    async () => (await service.lethe.dashboards()).filter(({ person }) => person === me.name),
    [service],
  );
  return (
    <Dialog title="Save this question" onClose={props.onClose}>
      <Show of={loaded} what="your dashboards">
        {(own) => <SaveForm {...props} own={own} />}
      </Show>
    </Dialog>
  );
}

function SaveForm({
  sql,
  epsilon,
  own,
  onClose,
}: SaveQuestionProps & { readonly own: readonly Dashboard[] }) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const first = useRef<HTMLInputElement>(null);
  // The dialog was there before its form.
  useEffect(() => first.current?.focus(), []);
  const [title, setTitle] = useState("");
  const [into, setInto] = useState(own[0]?.id ?? "");
  const [name, setName] = useState("");
  const [savedInto, setSavedInto] = useState<Dashboard | null>(null);
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      const question = { title: title.trim(), sql, epsilon };
      const { lethe } = service;
      const made =
        into === ""
          ? lethe.addDashboard({ name: name.trim(), readers: [], questions: [question] })
          : addTo(lethe, into, question);
      setSavedInto(await made);
      announce("The question is saved");
    });
  };
  if (savedInto !== null)
    return (
      <>
        <p>
          Saved in <a href={hrefOf(`dashboards/${savedInto.id}`)}>{visible(savedInto.name)}</a>.
        </p>
        <div class="row end">
          <button class="primary" type="button" onClick={onClose}>
            Done
          </button>
        </div>
      </>
    );
  return (
    <form onSubmit={save}>
      <Field label="Title">
        {(input) => (
          <input
            {...input}
            ref={first}
            value={title}
            required
            maxLength={100}
            pattern=".*\S.*"
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        )}
      </Field>
      {own.length === 0 ? null : (
        <Field label="Dashboard">
          {(input) => (
            <select {...input} value={into} onChange={({ currentTarget }) => setInto(currentTarget.value)}>
              {own.map((each) => (
                <option key={each.id} value={each.id}>
                  {visible(each.name)}
                </option>
              ))}
              <option value="">A new one</option>
            </select>
          )}
        </Field>
      )}
      {into === "" ? (
        <Field label="Name of the new dashboard">
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
      ) : null}
      <ProblemPanel problem={problem} />
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button class="primary" type="submit" disabled={busy}>
          Save
        </button>
      </div>
    </form>
  );
}

const mostTries = 5;

/** Adds a question to a dashboard as it is now, and again where another window was faster: what was saved meanwhile stays. */
async function addTo(lethe: LetheClient, id: string, question: SavedQuestion): Promise<Dashboard> {
  for (let turn = 1; ; turn += 1) {
    const { name, readers, questions, version } = await lethe.dashboard(id);
    try {
      return await lethe.changeDashboard(id, { name, readers, version, questions: [...questions, question] });
    } catch (error) {
      if (!(error instanceof LetheProblem) || error.code !== "serve.changed" || turn === mostTries)
        throw error;
    }
  }
}
