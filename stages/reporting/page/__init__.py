"""The report as one self-contained HTML page, `index.html`: tables, figures and the attention explorer.

`contents` says what it shows at once, `blocks` compresses the sentences, `fit` keeps them below a size, `fonts` adds
their characters, `template` fills the page, `write_page` does all of it. `web` holds the page itself.
"""
