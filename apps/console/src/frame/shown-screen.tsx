import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ScreenAddress } from "../house/screen-address.ts";
import { Loading } from "../parts/loading.tsx";
import { Screen } from "../parts/screen.tsx";
import type { ScreenEntry } from "./screens.ts";

/** The code of screens that were loaded. */
const loaded = new Map<ScreenEntry, ComponentType<ScreenAddress>>();

/** Shows a screen, whose code is loaded first where that was not done. */
export function ShownScreen({ screen, ...props }: ScreenAddress & { readonly screen: ScreenEntry }) {
  const [, setArrived] = useState<ScreenEntry | null>(null);
  const [lost, setLost] = useState<ScreenEntry | null>(null);
  const load = (): void => {
    if (loaded.has(screen)) return;
    screen.load().then(
      (module) => {
        loaded.set(screen, module.default);
        setArrived(screen);
      },
      () => setLost(screen),
    );
  };
  useEffect(load, [screen]);
  const Body = loaded.get(screen);
  if (Body) return <Body {...props} />;
  if (lost !== screen) return <Loading what={screen.title} />;
  // A new version of the service has other names for the code of its screens.
  return (
    <Screen title={screen.title}>
      <p>This screen cannot be loaded. The service may be away, or a new version of it may be there.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Screen>
  );
}
