"""What the tests of the report page need: a made-up study, a browser, and the page as a reader uses it."""
