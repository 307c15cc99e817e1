export {
  type Dashboard,
  type DashboardChange,
  type DashboardContent,
  type DashboardPut,
  type DashboardStore,
  mostDashboards,
  mostReceived,
  type SavedQuestion,
} from "./dashboard.ts";
