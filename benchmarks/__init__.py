"""Throughput of every variant against fairseq's own LSTM, an unoptimised baseline and the machine's matrix products."""
