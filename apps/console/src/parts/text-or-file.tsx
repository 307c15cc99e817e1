import { useState } from "preact/hooks";
import { visible } from "../words/visible.ts";
import { Field } from "./field.tsx";

interface TextOrFileProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the browser offers to open, such as ".json". */
  readonly accept: string;
}

/** The most bytes of a file that is read here. */
const mostBytes = 50_000_000;

/** A text that one pastes, or takes out of a file. The file is read in this browser, and sent nowhere. */
export function TextOrFile({ label, hint, value, onChange, accept }: TextOrFileProps) {
  const [said, setSaid] = useState<string | null>(null);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > mostBytes) return setSaid("This file is larger than 50 MB, and was not read.");
    onChange(await file.text());
    setSaid(`Read ${visible(file.name)}.`);
  };
  return (
    <Field label={label} hint={hint}>
      {(input) => (
        <>
          <textarea
            {...input}
            class="low"
            spellcheck={false}
            value={value}
            onInput={({ currentTarget }) => {
              setSaid(null);
              onChange(currentTarget.value);
            }}
          />
          <label class="button small">
            Open a file
            <input
              class="heard"
              type="file"
              aria-label={`${label}: open a file`}
              accept={accept}
              onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
            />
          </label>{" "}
          <span class="quiet" role="status">
            <bdi>{said}</bdi>
          </span>
        </>
      )}
    </Field>
  );
}
