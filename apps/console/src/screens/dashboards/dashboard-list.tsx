import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { goTo } from "../../route/use-route.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { DashboardForm } from "./dashboard-form.tsx";

/** The dashboards that the visitor may read. */
export function DashboardList() {
  const { service, me } = useHouse();
  const loaded = useLoaded(() => service.lethe.dashboards(), [service]);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Screen
      title="Dashboards"
      lead="Saved questions. Answers that were paid for are shown again for nothing."
      actions={
        <button type="button" onClick={() => setIsAdding(true)}>
          New dashboard …
        </button>
      }
    >
      <Show of={loaded} what="the dashboards">
        {(dashboards) => (
          <DataTable
            label="Dashboards"
            rows={dashboards}
            keyOf={({ id }) => id}
            empty="No dashboard is there yet. Make one here, or save a question where you ask it."
            columns={[
              {
                title: "Name",
                kind: "text",
                cell: ({ id, name }) => (
                  <a href={hrefOf(`dashboards/${id}`)}>
                    <bdi>{visible(name)}</bdi>
                  </a>
                ),
              },
              { title: "Questions", kind: "number", cell: ({ questions }) => questions.length },
              {
                title: "Of",
                kind: "text",
                cell: ({ person, readers }) =>
                  person !== me.name
                    ? visible(person)
                    : readers.length === 0
                      ? "you alone"
                      : visible(`you, read by ${readers.join(", ")}`),
              },
              { title: "Changed", cell: ({ changedAt }) => timeWords(changedAt) },
            ]}
          />
        )}
      </Show>
      {isAdding ? (
        <DashboardForm
          title="A new dashboard"
          action="Make it"
          onClose={() => setIsAdding(false)}
          onStated={async (stated) => {
            const { id } = await service.lethe.addDashboard({ ...stated, questions: [] });
            goTo(`dashboards/${id}`);
          }}
        />
      ) : null}
    </Screen>
  );
}
