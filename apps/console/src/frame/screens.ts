import type { ComponentType } from "preact";
import type { ScreenName } from "../house/house.ts";
import type { ScreenAddress } from "../house/screen-address.ts";
import type { Role } from "../session/me.ts";

/** A screen of the console. Its code is loaded when it is shown first. */
export interface ScreenEntry extends ScreenName {
  /** Who sees it, by what its routes allow. */
  readonly roles: readonly Role[];
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenAddress> }>;
}

/** Every screen, in the order of the navigation. A person begins at the first that they may see. */
export const screens: readonly ScreenEntry[] = [
  {
    path: "ask",
    title: "Ask",
    roles: ["owner", "analyst"],
    shortcut: "KeyA",
    load: () => import("../screens/ask/ask-screen.tsx"),
  },
  {
    path: "dashboards",
    title: "Dashboards",
    roles: ["owner", "analyst"],
    shortcut: "KeyD",
    load: () => import("../screens/dashboards/dashboards-screen.tsx"),
  },
  {
    path: "budget",
    title: "Budget",
    roles: ["owner", "analyst", "auditor"],
    shortcut: "KeyB",
    load: () => import("../screens/budget/budget-screen.tsx"),
  },
  {
    path: "history",
    title: "History",
    roles: ["owner", "analyst"],
    shortcut: "KeyY",
    load: () => import("../screens/history/history-screen.tsx"),
  },
  {
    path: "release",
    title: "Release",
    roles: ["owner", "analyst", "auditor", "operator"],
    shortcut: "KeyR",
    load: () => import("../screens/release/release-screen.tsx"),
  },
  {
    path: "policy",
    title: "Policy",
    roles: ["owner", "auditor"],
    shortcut: "KeyP",
    load: () => import("../screens/policy/policy-screen.tsx"),
  },
  {
    path: "audit",
    title: "Audit",
    roles: ["owner", "auditor"],
    shortcut: "KeyU",
    load: () => import("../screens/audit/audit-screen.tsx"),
  },
  {
    path: "people",
    title: "People and tokens",
    roles: ["owner", "analyst", "auditor", "operator"],
    shortcut: "KeyE",
    load: () => import("../screens/people/people-screen.tsx"),
  },
  {
    path: "help",
    title: "Help",
    roles: ["owner", "analyst", "auditor", "operator"],
    shortcut: "KeyH",
    load: () => import("../screens/help/help-screen.tsx"),
  },
];
