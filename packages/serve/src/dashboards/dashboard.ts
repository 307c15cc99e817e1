/** A question that somebody saved: its text and its price as they would send them, and a title. Nothing of an answer is in it. */
export interface SavedQuestion {
  readonly title: string;
  readonly sql: string;
  /** As it was written; null for the policy's default. */
  readonly epsilon: string | null;
}

/** What a person states of a dashboard. */
export interface DashboardContent {
  readonly name: string;
  readonly questions: readonly SavedQuestion[];
  /** The people who may read it too: its text alone, since each pays for their own answers. */
  readonly readers: readonly string[];
}

/** Saved questions of one person. */
export interface Dashboard extends DashboardContent {
  readonly id: string;
  readonly person: string;
  /** 1 for a new one, and one more with each change. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The most dashboards of one person. */
export const mostDashboards = 50;
/** The most dashboards of others that are listed to one person: the newest. */
export const mostReceived = 200;

/** How a dashboard was kept, or why it was not. */
export type DashboardPut = "kept" | "one too many" | "changed meanwhile";

/** What a person states of a dashboard that is there: with the version that they changed. */
export type DashboardChange = DashboardContent & Pick<Dashboard, "version">;

/** Keeps dashboards. Names of people are compared as everywhere: without regard to case. */
export interface DashboardStore {
  /** Returns those of a person, and the newest of those that others let them read, each by time of change, newest first. */
  visibleTo(name: string): Promise<readonly Dashboard[]>;
  byId(id: string): Promise<Dashboard | null>;
  /**
   * Keeps a dashboard of version 1 as a new one, and any other in the place of that of its id and of the version before. Returns why it kept nothing: its person has as many as they may, or that
   * version is not there any more.
   */
  put(dashboard: Dashboard): Promise<DashboardPut>;
  remove(id: string): Promise<void>;
}
