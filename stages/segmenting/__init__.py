"""Words -> the tokens that systems see: sub-word pieces, or the words themselves."""
