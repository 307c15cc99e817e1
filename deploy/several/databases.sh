#!/bin/sh
# PostgreSQL's image runs it once, on an empty volume: a database for the service, one for the ledger, and a role for each.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 \
  --set service="$LETHE_SERVICE_PASSWORD" --set gateway="$LETHE_GATEWAY_PASSWORD" <<'SQL'
CREATE ROLE lethe_service LOGIN PASSWORD :'service';
CREATE DATABASE lethe_service OWNER lethe_service;
REVOKE CONNECT ON DATABASE lethe_service FROM PUBLIC;
CREATE ROLE lethe_gateway LOGIN PASSWORD :'gateway';
CREATE DATABASE budgets;
SQL
