"""`reports/README.md`: all studies that have a report, side by side."""
