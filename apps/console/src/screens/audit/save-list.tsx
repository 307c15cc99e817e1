import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import type { Pages } from "../../house/use-pages.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { saveFile } from "../../parts/save-file.ts";

interface SaveListProps<T> {
  readonly of: Pages<T>;
  /** The file's name without its ending. */
  readonly name: string;
}

/** Saves all of a list as the service tells it, newest first, also what is not shown. */
export function SaveList<T>({ of, name }: SaveListProps<T>) {
  const { announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [many, setMany] = useState(0);
  const save = (): void =>
    void run(async () => {
      const items = await of.all(setMany);
      saveFile(`${name}.json`, `${JSON.stringify(items, null, 1)}\n`, "application/json");
      announce(`Saved ${items.length} entries as ${name}.json`);
    });
  if (of.items === null || (of.items.length === 0 && !of.hasMore)) return null;
  return (
    <>
      <p class="row">
        <button type="button" disabled={busy} onClick={save}>
          Save all as a file
        </button>
        {busy && many > 0 ? <span class="quiet">{many.toLocaleString("en")} so far</span> : null}
      </p>
      <ProblemPanel problem={problem} />
    </>
  );
}
