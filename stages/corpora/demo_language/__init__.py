"""The language of the demo corpus: a small grammar that derives Chinese and English sentences together."""
