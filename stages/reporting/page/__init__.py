"""The report as one self-contained HTML page, `index.html`: tables, figures and the attention explorer.

`tables`, `figures` and `sentences` say what it shows, `blocks` compresses the sentences, `fit` keeps them below a size,
`template` fills the page, `write` does all of it. `web` holds the page itself.
"""
