import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Returns the width of an element, in CSS pixels; 0 before it is known. */
export function useWidth(of: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (of.current === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(of.current);
    return () => watch.disconnect();
  }, [of]);
  return width;
}
