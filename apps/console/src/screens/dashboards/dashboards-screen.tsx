import type { ScreenAddress } from "../../house/screen-address.ts";
import { DashboardList } from "./dashboard-list.tsx";
import { OneDashboard } from "./one-dashboard.tsx";

/** The visitor's saved questions; those of one dashboard, where the address names it. */
export default function DashboardsScreen({ rest }: ScreenAddress) {
  return rest === "" ? <DashboardList /> : <OneDashboard key={rest} id={rest} />;
}
