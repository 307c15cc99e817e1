import { useEffect, useState } from "preact/hooks";
import { hrefOf, type Route, routeOf } from "./route.ts";

/** Returns the place that the address names, also after back and forward. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const moved = (): void => setHash(location.hash);
    addEventListener("hashchange", moved);
    // It may have changed after it was read, and before anybody listened.
    moved();
    return () => removeEventListener("hashchange", moved);
  }, []);
  return routeOf(hash);
}

/** Puts a place in the stead of the one that the address names, so that "back" and the browser's history do not hold that one. */
export function replaceRoute(path: string): void {
  history.replaceState(null, "", hrefOf(path));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Goes to a place, which "back" leaves again. */
export function goTo(path: string, query: Readonly<Record<string, string>> = {}): void {
  location.hash = hrefOf(path, query);
}
