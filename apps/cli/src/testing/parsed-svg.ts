import { type Element, Window } from "happy-dom";

/** The outermost element of a drawing, with all that is in it. */
export function parsedSvg(svg: string): Element {
  return new new Window().DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
}

export const all = (within: Element, selector: string): readonly Element[] => [
  ...within.querySelectorAll(selector),
];

/** The marks of one kind in a panel: everything of this tag below the groups of this label. */
export const marksOf = (panel: Element, label: string, tag: string): readonly Element[] =>
  all(panel, `[aria-label="${label}"] ${tag}`);

export const numberOf = (element: Element, name: string): number => Number(element.getAttribute(name));

/** The points of a path of straight lines. */
export function pointsOf(path: Element): readonly (readonly [number, number])[] {
  const line = path.getAttribute("d");
  if (line === null) throw new Error("a path draws nothing");
  return [...line.matchAll(/[ML](-?[\d.e-]+),(-?[\d.e-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** The place that a mark's transform moves it to. */
export function placeOf(element: Element): readonly [number, number] {
  const [, x, y] =
    /translate\((-?[\d.e-]+),(-?[\d.e-]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
  return [Number(x), Number(y)];
}
