"""The committed reports, held to what they were made of."""
