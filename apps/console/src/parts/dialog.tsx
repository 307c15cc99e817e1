import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { visible } from "../words/visible.ts";

interface DialogProps {
  readonly title: string;
  /** Called when the visitor leaves it: by Escape, or by a button that does so. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the page: the browser keeps the focus in it, and gives it back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // A key that is still held from before answers nothing that was not read.
        if (event.repeat && (event.key === "Enter" || event.key === " ") && presses(event.target))
          event.preventDefault();
      }}
    >
      <h2 id={id}>{visible(title)}</h2>
      {children}
    </dialog>
  );
}

/** Whether a key would press something: a button, or the form that an input of one line belongs to. */
function presses(target: EventTarget | null): boolean {
  return target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
}
