import type { ComponentChildren } from "preact";
import { visible } from "../words/visible.ts";

/** A region that scrolls sideways where it is too narrow, also by keyboard. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.1.1)
    <section class="scroll" aria-label={visible(label)} tabIndex={0}>
      {children}
    </section>
  );
}
