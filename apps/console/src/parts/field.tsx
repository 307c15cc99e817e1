import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** What a field's input takes over, so that its label, hint and error belong to it. */
export interface FieldInput {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with what stands in the field. */
  readonly error?: string | null;
  readonly children: (input: FieldInput) => ComponentChildren;
}

/**
 * A form's field with its label, a hint, and what is wrong with it.
 * @example <Field label="Name" error={error}>{(input) => <input {...input} name="name" />}</Field>
 */
export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId();
  const told = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(told ? { "aria-describedby": told } : {}),
        ...(error ? { "aria-invalid": true as const } : {}),
      })}
      {hint ? (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
