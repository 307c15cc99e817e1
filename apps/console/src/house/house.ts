import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Drafts } from "../session/drafts.ts";
import type { Me } from "../session/me.ts";
import type { OwnService } from "../session/own-service.ts";

/** A screen as the navigation names it. */
export interface ScreenName {
  /** The first part of its address after "#/". */
  readonly path: string;
  /** The word in the navigation. */
  readonly title: string;
  /** The key that goes to it together with Alt and Shift: a letter's code, such as "KeyA". */
  readonly shortcut: string;
}

/** What every screen may use: the service, who is signed in, and a voice for those who hear the page. */
export interface House {
  readonly service: OwnService;
  readonly me: Me;
  /** The screens that the visitor may see. */
  readonly screens: readonly ScreenName[];
  /** What the visitor has written and not yet sent: it stays while they look at another screen, and over a reload. */
  readonly drafts: Drafts;
  /** Says a line to a screen reader, politely. */
  readonly announce: (line: string) => void;
}

export const HouseContext = createContext<House | null>(null);

/** Returns the house of the person who is signed in. */
export function useHouse(): House {
  const house = useContext(HouseContext);
  if (house === null) throw new Error("a screen is shown to somebody who is signed in");
  return house;
}
