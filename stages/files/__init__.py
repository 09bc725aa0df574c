"""Text, links and records in files: checked reading, atomic writing, errors that a user can put right."""
