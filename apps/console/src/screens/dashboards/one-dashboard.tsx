import type { Dashboard, DashboardContent } from "@lethe/client";
import { useRef, useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { goTo } from "../../route/use-route.ts";
import { timeWords } from "../../words/time-words.ts";
import { ChangedElsewhere } from "./changed-elsewhere.tsx";
import { DashboardForm } from "./dashboard-form.tsx";
import { QuestionCard } from "./question-card.tsx";

/** One dashboard: each of its questions with the answer that is there. */
export function OneDashboard({ id }: { readonly id: string }) {
  const { service } = useHouse();
  const loaded = useLoaded(() => service.lethe.dashboard(id), [service, id]);
  if (loaded.value !== null) return <Questions dashboard={loaded.value} onChanged={loaded.again} />;
  return (
    <Screen title="A dashboard" actions={<Back />}>
      <Show of={loaded} what="the dashboard">
        {() => null}
      </Show>
    </Screen>
  );
}

function Back() {
  return (
    <a class="button" href={hrefOf("dashboards")}>
      All dashboards
    </a>
  );
}

interface QuestionsProps {
  readonly dashboard: Dashboard;
  readonly onChanged: () => void;
}

function Questions({ dashboard, onChanged }: QuestionsProps) {
  const { id, name, person, version, questions, readers, changedAt } = dashboard;
  const { service, me, announce } = useHouse();
  const { problem, run, forget } = useAction();
  const [dialog, setDialog] = useState<"edit" | "remove" | null>(null);
  // One question after another is looked up, so that a long dashboard stays within the rates.
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const inTurn = <T,>(work: () => Promise<T>): Promise<T> => {
    const done = last.current.then(work, work);
    last.current = done;
    return done;
  };
  const isOwn = person === me.name;
  const change = async (changed: Partial<DashboardContent>): Promise<void> => {
    await service.lethe.changeDashboard(id, { name, questions, readers, version, ...changed });
    onChanged();
  };
  const remove = async (): Promise<void> => {
    setDialog(null);
    const isRemoved = await run(() => service.lethe.removeDashboard(id));
    if (!isRemoved) return;
    announce("The dashboard is removed");
    goTo("dashboards");
  };
  return (
    <Screen
      title={name}
      lead={`${isOwn ? "Yours" : `Of ${person}`}${readers.length > 0 ? `, read by ${readers.join(", ")}` : ""}. Changed ${timeWords(changedAt)}.`}
      actions={
        <>
          {isOwn ? (
            <>
              <button type="button" onClick={() => setDialog("edit")}>
                Edit …
              </button>
              <button type="button" onClick={() => setDialog("remove")}>
                Remove …
              </button>
            </>
          ) : null}
          <Back />
        </>
      }
    >
      <ChangedElsewhere
        problem={problem}
        onLoad={() => {
          forget();
          onChanged();
        }}
      />
      {questions.length === 0 ? (
        <p class="panel">
          No question is saved here. <a href={hrefOf("ask")}>Ask one</a>, and save it.
        </p>
      ) : null}
      {questions.map((saved, at) => (
        <QuestionCard
          key={JSON.stringify(saved)}
          saved={saved}
          inTurn={inTurn}
          onRemove={
            isOwn
              ? () => void run(() => change({ questions: questions.filter((_, place) => place !== at) }))
              : null
          }
        />
      ))}
      {dialog === "edit" ? (
        <DashboardForm
          title="Edit the dashboard"
          action="Keep"
          given={{ name, readers }}
          onStated={change}
          onLoad={onChanged}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === "remove" ? (
        <Confirm
          title="Remove this dashboard?"
          action="Remove"
          danger
          onConfirm={() => void remove()}
          onCancel={() => setDialog(null)}
        >
          <p>Its questions are no longer saved. Answers that were paid for stay in the history.</p>
        </Confirm>
      ) : null}
    </Screen>
  );
}
