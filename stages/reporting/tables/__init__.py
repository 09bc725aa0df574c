"""Every table of a report: what it holds, and how it is written as Markdown, CSV and LaTeX."""
