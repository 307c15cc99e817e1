import { useEffect } from "preact/hooks";
import { goTo } from "../route/use-route.ts";
import type { ScreenEntry } from "./screens.ts";

/** Goes to a screen at Alt, Shift and its letter. The key's place counts, since Alt changes what it writes on some systems. */
export function useShortcuts(screens: readonly ScreenEntry[]): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return;
      const screen = screens.find(({ shortcut }) => shortcut === event.code);
      if (screen === undefined) return;
      event.preventDefault();
      goTo(screen.path);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [screens]);
}
