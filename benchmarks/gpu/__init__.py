"""`make gpu`: what waits for an NVIDIA GPU, in one command: tests, parity, speed and a short training."""
