"""Encoders: products with the inputs once for all words, with the state word by word."""

from benchmarks.products.product import Products, linear, repeated
from benchmarks.sizes import Size


def recurrent_layer(name: str, z: Size, inputs: int, gates: int, directions: int = 1) -> Products:
    """A GRU (3 gates) or LSTM (4) over the source."""
    width = gates * z.H
    state = repeated(linear(f"{name}, state", z.B, z.H, width, times=z.S), directions)
    return [*linear(f"{name}, input", z.B * z.S, inputs, directions * width), *state]


def bidirectional(z: Size) -> Products:
    return recurrent_layer("encoder", z, z.H, 3, directions=2)


def forward(z: Size) -> Products:
    """That of RNNencdec, with c = tanh(V h_S)."""
    return [*recurrent_layer("encoder", z, z.H, 3), *linear("V", z.B, z.H, z.H)]


def stacked_lstm(z: Size, layers: int) -> Products:
    return [product for k in range(layers) for product in recurrent_layer(f"encoder {k}", z, z.H, 4)]
