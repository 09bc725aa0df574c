"""Which word translates which: statistical alignment, and what is read off it: lexicons and phrases."""
