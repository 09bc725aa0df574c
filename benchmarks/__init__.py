"""Throughput of every variant against fairseq's own LSTM, a straightforward loop and the machine's matrix products."""
