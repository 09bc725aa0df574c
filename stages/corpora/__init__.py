"""Where sentences come from, which of them are trained on, and the folder that holds them."""
