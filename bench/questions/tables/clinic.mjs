import { amount, below, oneOf, orNull, time } from "./random.mjs";

const departments = ["cardiology", "emergency", "oncology", "orthopedics", "pediatrics", "surgery"];

/** Table → SQL of its rows: 2,500 patients, 9,000 visits, 14,000 prescriptions, 16,000 laboratory results. */
export const clinic = {
  patients: `SELECT i + 1 AS patient_id, DATE '1930-01-01' + ${below(33_000, 1)} AS birth_date, ${oneOf(["F", "F", "F", "M", "M", "M", "X"], 2)} AS sex,
    ${orNull(`lpad(CAST(${below(100_000, 3)} AS VARCHAR), 5, '0')`, 12, 4)} AS postcode, ${oneOf(["public", "public", "private", "none"], 5)} AS insurance,
    ${orNull(`(${below(5, 6)} = 0)`, 25, 7)} AS smoker, 150.0 + ${below(45, 8)} AS height_cm, 50.0 + ${below(60, 9)} AS weight_kg,
    DATE '2015-01-01' + ${below(3600, 10)} AS registered_on, 'Person ' || i AS full_name FROM range(2500) t(i)`,
  visits: `SELECT *, ${orNull("admitted_at + to_hours(visit_id * 37 % 300 - 2)", 30, 20, "visit_id")} AS discharged_at
    FROM (SELECT i + 1 AS visit_id, 1 + ${below(2300, 21)} AS patient_id, ${time("2023-01-01", 730, 22)} AS admitted_at,
      ${oneOf(departments, 23)} AS department, ${orNull(`'D' || ${below(25, 24)}`, 18, 25)} AS diagnosis, ${amount(18_000, 26)} AS cost,
      ${below(4, 27)} = 0 AS emergency, 1 + ${below(5, 28)} AS triage, 1 + ${below(44, 29)} AS doctor_id,
      ${oneOf(["Chest pain", "headache", "KNEE pain after fall", "cough", "foot swollen", "check-up"], 30)} AS complaint FROM range(9000) t(i))`,
  prescriptions: `SELECT 1 + ${below(9000, 40)} AS visit_id, 1 + ${below(30, 41)} AS drug_id, DATE '2023-01-01' + ${below(731, 42)} AS prescribed_on,
    7 + ${below(90, 43)} AS days_supply, ${amount(1000, 44)} AS dose_mg FROM range(14000) t(i)`,
  labs: `SELECT *, CASE WHEN result < 5 THEN '<5' ELSE replace(CAST(result AS VARCHAR), '.', CASE WHEN result > 50 THEN ',' ELSE '.' END) END AS result_text
    FROM (SELECT 1 + ${below(2400, 50)} AS patient_id, ${time("2023-01-01", 730, 51)} AS taken_at, ${oneOf(["crp", "egfr", "hba1c", "ldl"], 52)} AS test,
      ${amount(200, 53)} AS result FROM range(16000) t(i))`,
  drugs: `SELECT i + 1 AS drug_id, 'drug ' || i AS drug_name, ${oneOf(["analgesic", "antibiotic", "anticoagulant", "antidiabetic", "statin"], 60)} AS drug_class,
    ${below(2, 61)} = 0 AS is_generic FROM range(30) t(i)`,
  diagnoses: `SELECT 'D' || i AS code, 'Diagnosis ' || i AS title, ${oneOf(["circulatory", "endocrine", "injury", "neoplasms", "respiratory"], 62)} AS chapter FROM range(25) t(i)`,
  departments: `SELECT d AS department, CASE WHEN d < 'orthopedics' THEN 'main' ELSE 'north' END AS building, 20 + length(d) * 3 AS beds
    FROM (VALUES ${departments.map((name) => `('${name}')`).join(", ")}) t(d)`,
  doctors: `SELECT i + 1 AS doctor_id, ${oneOf(departments, 63)} AS specialty, ${oneOf(["resident", "attending", "chief"], 64)} AS seniority FROM range(40) t(i)`,
};
