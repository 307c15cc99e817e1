import { useEffect, useState } from "preact/hooks";
import { hrefOf } from "../route/route.ts";
import { shortcutWords } from "../words/shortcut-words.ts";
import type { ScreenEntry } from "./screens.ts";

interface NavigationProps {
  readonly screens: readonly ScreenEntry[];
  readonly current: ScreenEntry | null;
}

/** The ways to every screen that the visitor may see. On a phone a button opens them. */
export function Navigation({ screens, current }: NavigationProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current]);
  return (
    <nav class="side" aria-label="Screens" data-open={open}>
      <button
        class="menu"
        type="button"
        aria-expanded={open}
        aria-controls="screens"
        onClick={() => setOpen(!open)}
      >
        Menu
      </button>
      <ul id="screens">
        {screens.map((screen) => (
          <li key={screen.path}>
            <a
              href={hrefOf(screen.path)}
              {...(screen === current ? { "aria-current": "page" as const } : {})}
              aria-keyshortcuts={shortcutWords(screen.shortcut)}
              title={shortcutWords(screen.shortcut)}
              onClick={() => setOpen(false)}
            >
              {screen.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
