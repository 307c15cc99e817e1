import { amount, below, oneOf, orNull, time } from "./random.mjs";

const names = [
  "signup",
  "create_project",
  "invite",
  "import",
  "export",
  "share",
  "upgrade_click",
  "upgrade",
  "error",
];

/** Table → SQL of its rows: 4,000 users, 40,000 sessions, 80,000 events, 6,000 subscriptions, 5,000 assignments. */
export const product = {
  users: `SELECT i + 1 AS user_id, ${time("2023-01-01", 700, 1)} AS created_at, ${oneOf(["BR", "DE", "GB", "IN", "JP", "US", "US"], 2)} AS country,
    ${oneOf(["ads", "direct", "partner", "search", "word_of_mouth"], 3)} AS source, ${oneOf(["1-10", "11-50", "51-200", "200+"], 4)} AS company_size,
    18 + ${below(50, 5)} AS age, ${orNull(oneOf(["Software Engineer", "developer", "Marketing lead", "CEO", "Analyst"], 6), 9, 7)} AS job_title,
    ${below(20, 8)} = 0 AS is_deleted FROM range(4000) t(i)`,
  sessions: `SELECT *, started_at + to_seconds(60 + session_id * 131 % 7200) AS ended_at
    FROM (SELECT i + 1 AS session_id, 1 + ${below(3800, 20)} AS user_id, ${time("2023-01-01", 730, 21)} AS started_at,
      ${oneOf(["desktop", "desktop", "mobile", "tablet"], 22)} AS device,
      ${orNull(oneOf(["1.8.0", "2.0.1", "2.1.0", "2.2.0", "3.0.0", "beta"], 23), 40, 24)} AS app_version, ${below(30, 25)} AS page_views FROM range(40000) t(i))`,
  events: `SELECT 1 + ${below(3800, 30)} AS user_id, 1 + ${below(40_000, 31)} AS session_id, ${time("2023-01-01", 730, 32)} AS happened_at,
    ${oneOf(names, 33)} AS name, ${amount(40_000, 34)} AS duration_ms FROM range(80000) t(i)`,
  subscriptions: `SELECT *, ${orNull("least(started_on + 30 * (1 + user_id % 9), DATE '2024-12-31')", 2, 40, "n")} AS ended_on,
    CASE plan WHEN 'free' THEN 0.0 WHEN 'starter' THEN 19.0 WHEN 'pro' THEN 79.0 ELSE 390.0 END AS mrr
    FROM (SELECT i AS n, 1 + ${below(3600, 41)} AS user_id, ${oneOf(["free", "free", "starter", "pro", "enterprise"], 42)} AS plan,
      DATE '2023-01-01' + ${below(731, 43)} AS started_on, 1 + ${below(20, 44)} AS seats,
      ${orNull(oneOf(["Too expensive!", "too expensive", "missing features", " switched ", ""], 45), 3, 46)} AS cancel_reason FROM range(6000) t(i))`,
  assignments: `SELECT 1 + ${below(4000, 50)} AS user_id, ${oneOf(["onboarding", "pricing_page"], 51)} AS experiment,
    ${oneOf(["control", "treatment"], 52)} AS variant, ${time("2023-01-01", 730, 53)} AS assigned_at FROM range(5000) t(i)`,
  plans:
    "SELECT * FROM (VALUES ('free', 0.0, 0), ('starter', 19.0, 1), ('pro', 79.0, 2), ('enterprise', 390.0, 3)) t(plan, monthly_price, rank)",
  releases: `SELECT * FROM (VALUES ('1.8.0', DATE '2022-11-01', false), ('2.0.1', DATE '2023-03-01', true), ('2.1.0', DATE '2023-09-15', false),
    ('2.2.0', DATE '2024-02-01', false), ('3.0.0', DATE '2024-08-20', true)) t(app_version, released_on, is_major)`,
};
