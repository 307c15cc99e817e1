import { amount, below, oneOf, orNull, time } from "./random.mjs";

const countries = ["AT", "DE", "ES", "FR", "IT", "NL", "PL", "SE"];
const customerOfOrder = below(2600, 20);
const orderOfLine = `(1 + ${below(15_000, 40)})`;

/** Table → SQL of its rows: 3,000 customers, 15,000 orders, 35,000 lines, 60,000 events. */
export const shop = {
  customers: `SELECT i + 1 AS customer_id, DATE '2023-01-01' + ${below(731, 1)} AS signed_up_on, ${oneOf(countries, 2)} AS country,
    ${oneOf(["organic", "paid_search", "email", "referral", "social"], 3)} AS channel,
    ${orNull(oneOf(["bronze", "bronze", "silver", "gold"], 4), 20, 5)} AS tier, 1940 + ${below(66, 6)} AS birth_year,
    ${orNull(`(${below(2, 7)} = 1)`, 15, 8)} AS newsletter,
    ${orNull(`'user' || i || ${oneOf(["@example.com", "@Mail.example", "@post.example", " at example.com"], 9)}`, 12, 10)} AS email,
    ${orNull(oneOf(["Berlin", " berlin", "PARIS", "Paris ", "Roma", "Wien", "Madrid", "Warszawa", ""], 11), 14, 12)} AS city,
    ${orNull("'+49 ' || (i * 7919) % 1000000", 3, 13)} AS phone FROM range(3000) t(i)`,
  orders: `SELECT *, ${orNull("ordered_at + to_hours(6 + order_id % 90)", 9, 29, "order_id")} AS shipped_at,
    ${orNull("ordered_at + to_hours(100 + order_id % 200)", 6, 30, "order_id")} AS delivered_at
    FROM (SELECT i + 1 AS order_id, 1 + ${customerOfOrder} AS customer_id, ${time("2023-01-01", 730, 21)} AS ordered_at,
      ${oneOf(["placed", "paid", "shipped", "delivered", "delivered", "delivered", "cancelled", "returned"], 22)} AS status,
      ${amount(500, 23)} AS amount, ${amount(60, 24)} AS discount, ${amount(20, 25)} AS shipping,
      ${oneOf(["card", "card", "paypal", "invoice", "voucher"], 26)} AS payment,
      ${oneOf(["", " spring 10", "SPRING10", "Welcome", "WELCOME "], 27)} AS coupon FROM range(15000) t(i))`,
  order_items: `SELECT ${orderOfLine} AS order_id, 1 + ${below(120, 41)} AS product_id, 1 + ${below(4, 42)} AS quantity,
    ${amount(250, 43)} AS unit_price FROM range(35000) t(i)`,
  events: `SELECT 1 + ${below(2900, 50)} AS customer_id, ${time("2023-01-01", 730, 51)} AS happened_at,
    ${oneOf(["visit", "visit", "visit", "search", "search", "view", "view", "add_to_cart", "checkout", "purchase"], 52)} AS kind,
    ${oneOf(["desktop", "mobile", "mobile", "tablet"], 53)} AS device, '/p/' || ${below(120, 54)} AS page FROM range(60000) t(i)`,
  products: `SELECT i + 1 AS product_id, 'Product ' || (i + 1) AS product_name,
    ${oneOf(["books", "clothing", "electronics", "garden", "kitchen", "toys"], 60)} AS category, ${oneOf(["Acme", "Borea", "Cirrus", "Dune"], 61)} AS brand,
    20 + ${amount(250, 62)} AS list_price, DATE '2020-01-01' + ${below(1800, 63)} AS launched_on FROM range(120) t(i)`,
  regions: `SELECT * FROM (VALUES ('AT', 'central', 'EUR', 0.2, 9000000), ('DE', 'central', 'EUR', 0.19, 84000000),
    ('ES', 'south', 'EUR', 0.21, 48000000), ('FR', 'west', 'EUR', 0.2, 68000000), ('IT', 'south', 'EUR', 0.22, 59000000),
    ('NL', 'west', 'EUR', 0.21, 18000000), ('PL', 'central', 'PLN', 0.23, 38000000), ('SE', 'north', 'SEK', 0.25, 10500000))
    t(country, region, currency, vat, population)`,
  calendar: `SELECT CAST(DATE '2023-01-01' + CAST(i AS INTEGER) AS DATE) AS day, dayofweek(DATE '2023-01-01' + CAST(i AS INTEGER)) IN (0, 6) AS is_weekend,
    i % 365 IN (0, 120, 275, 358, 359) AS is_holiday,
    (['winter', 'spring', 'summer', 'autumn'])[1 + (month(DATE '2023-01-01' + CAST(i AS INTEGER)) % 12) // 3] AS season FROM range(731) t(i)`,
};
