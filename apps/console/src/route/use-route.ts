import { useEffect, useState } from "preact/hooks";
import { hrefOf, type Route, routeOf } from "./route.ts";

/** Returns the place that the address names, also after back and forward. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const moved = (): void => setHash(location.hash);
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return routeOf(hash);
}

/** Goes to a place, which "back" leaves again. */
export function goTo(path: string, query: Readonly<Record<string, string>> = {}): void {
  location.hash = hrefOf(path, query);
}
