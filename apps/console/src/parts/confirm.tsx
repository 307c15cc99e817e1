import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The words of the button that does it, such as "Pay ε 0.5". */
  readonly action: string;
  readonly danger?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks once more before something that cannot be undone. */
export function Confirm({ title, children, action, danger = false, onConfirm, onCancel }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onCancel}>
      {children}
      <div class="row end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button class={danger ? "danger" : "primary"} type="button" onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
