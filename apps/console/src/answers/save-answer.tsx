import { useHouse } from "../house/house.ts";
import { useAction } from "../house/use-action.ts";
import { ProblemPanel } from "../parts/problem-panel.tsx";
import { saveFile } from "../parts/save-file.ts";
import { type AnswerSource, bytesOf, releaseOf } from "./answer-source.ts";

const formats = [
  { word: "CSV", ending: "csv", type: "text/csv" },
  { word: "JSON", ending: "json", type: "application/json" },
  { word: "Arrow", ending: "arrows", type: "application/vnd.apache.arrow.stream" },
] as const;

/** Saves an answer as a file, and its certificate where it has one. All of it is free: the answer was paid for. */
export function SaveAnswer({ source }: { readonly source: AnswerSource }) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const save = (name: string, type: string, bytes: () => Promise<Uint8Array<ArrayBuffer>>): void =>
    void run(async () => {
      saveFile(name, await bytes(), type);
      announce(`Saved ${name}`);
    });
  const certificate = async (): Promise<Uint8Array<ArrayBuffer>> => {
    if ("sql" in source) throw new Error("what was never released has no certificate");
    const { certificate: told, signature } = await releaseOf(service, source);
    return new TextEncoder().encode(`${JSON.stringify({ certificate: told, signature }, null, 2)}\n`);
  };
  return (
    <>
      <fieldset class="row plain">
        <legend class="heard">Save the answer</legend>
        <span class="quiet" aria-hidden="true">
          Save
        </span>
        {formats.map(({ word, ending, type }) => (
          <button
            key={word}
            class="small"
            type="button"
            disabled={busy}
            onClick={() => save(`answer.${ending}`, type, () => bytesOf(service, source, type))}
          >
            {word}
          </button>
        ))}
        {"sql" in source ? null : (
          <button
            class="small"
            type="button"
            disabled={busy}
            onClick={() => save("certificate.json", "application/json", certificate)}
          >
            Certificate
          </button>
        )}
      </fieldset>
      <ProblemPanel problem={problem} />
    </>
  );
}
