import { amount, below, oneOf, orNull, time } from "./random.mjs";

/** Table → SQL of its rows: 3,000 cards, 60,000 rides, 12,000 payments. */
export const transit = {
  cards: `SELECT i + 1 AS card_id, DATE '2022-01-01' + ${below(1096, 1)} AS issued_on, ${oneOf(["adult", "adult", "child", "senior", "student"], 2)} AS card_type,
    1940 + ${below(75, 3)} AS birth_year, 1 + ${below(4, 4)} AS home_zone FROM range(3000) t(i)`,
  rides: `SELECT *, tapped_in + to_minutes(CAST(4 + distance_km * 3 AS INTEGER)) AS tapped_out, ROUND(1.5 + distance_km / 8, 1) AS fare
    FROM (SELECT 1 + ${below(2800, 20)} AS card_id, ${time("2024-01-01", 366, 21)} AS tapped_in, 1 + ${below(40, 22)} AS from_station,
      ${orNull(`1 + ${below(40, 23)}`, 50, 24)} AS to_station, ${oneOf(["bus", "bus", "metro", "metro", "metro", "tram", "ferry"], 25)} AS mode,
      ${amount(30, 26)} AS distance_km FROM range(60000) t(i))`,
  topups: `SELECT 1 + ${below(2800, 30)} AS card_id, ${time("2024-01-01", 366, 31)} AS topped_up_at, ${amount(120, 32)} AS amount,
    ${oneOf(["app", "app", "cash", "card_machine"], 33)} AS method FROM range(12000) t(i)`,
  stations: `SELECT i + 1 AS station_id, 'Station ' || (i + 1) AS station_name, 1 + ${below(4, 40)} AS zone,
    ${oneOf(["airport", "center", "east", "north", "south", "west"], 41)} AS district FROM range(40) t(i)`,
  calendar: `SELECT CAST(DATE '2024-01-01' + CAST(i AS INTEGER) AS DATE) AS day, dayofweek(DATE '2024-01-01' + CAST(i AS INTEGER)) IN (0, 6) AS is_weekend,
    i IN (0, 121, 276, 359, 360) AS is_holiday, month(DATE '2024-01-01' + CAST(i AS INTEGER)) IN (7, 8) AS school_break FROM range(366) t(i)`,
  fares:
    "SELECT * FROM (VALUES ('adult', 8.0), ('child', 3.0), ('senior', 5.0), ('student', 5.0)) t(card_type, day_cap)",
};
