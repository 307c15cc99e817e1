import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { visible } from "../words/visible.ts";

interface ScreenProps {
  readonly title: string;
  /** A line under the heading. */
  readonly lead?: ComponentChildren;
  /** Buttons beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen with its heading. When it is shown after another, the heading takes the focus, so that a reader and the keyboard begin there. */
export function Screen({ title, lead, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${visible(title)} · Lethe`;
    if (shown) heading.current?.focus({ preventScroll: true });
    shown = true;
    scrollTo(0, 0);
  }, [title]);
  return (
    <>
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{visible(title)}</bdi>
        </h1>
        {actions ? <div class="row">{actions}</div> : null}
      </div>
      {lead ? <p class="lead">{typeof lead === "string" ? visible(lead) : lead}</p> : null}
      {children}
    </>
  );
}

/** Whether a screen was shown before: the first leaves the focus where a browser puts it. */
let shown = false;
