export {
  type Dashboard,
  type DashboardContent,
  type DashboardStore,
  mostDashboards,
  mostReceived,
  type SavedQuestion,
} from "./dashboard.ts";
